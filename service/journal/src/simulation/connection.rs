//! A writer's connection to the simulated cluster.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use super::cluster::{Cluster, Fate};
use crate::backends::memory::{MemoryDatabase, WriterRoute};
use crate::batch::Batch;
use crate::ids::{BatchNumber, WriterId};
use crate::store::{MatchHead, OpeningCommit, WriteError, WriterConnection};
use crate::{Hlc, MatchId, Seq, Shard};

/// The way of a replica's writers to the cluster.
#[derive(Clone)]
pub(super) struct Route {
    pub(super) cluster: Cluster,
    /// Whether a pooler leads each statement to the primary of the moment, without cutting the client.
    pub(super) pooled: bool,
}

struct Connection {
    cluster: Cluster,
    /// The server it leads to; `None` behind a pooler.
    server: Option<u64>,
    /// The only shard into which it may write.
    shard: Shard,
}

#[async_trait]
impl WriterRoute for Route {
    async fn connect(&self, shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError> {
        let server = (!self.pooled).then(|| self.cluster.generation());
        Ok(Box::new(Connection { cluster: self.cluster.clone(), server, shard }))
    }
}

impl Connection {
    /// Returns the database, unless its server is gone.
    fn reach(&self) -> Result<MemoryDatabase, WriteError> {
        match self.server {
            Some(server) if server != self.cluster.generation() => Err(lost()),
            _ => Ok(self.cluster.primary()),
        }
    }
}

fn lost() -> WriteError {
    WriteError::Lost { what: "simulated".to_owned() }
}

#[async_trait]
impl WriterConnection for Connection {
    async fn open_writer(&mut self, opening: &OpeningCommit) -> Result<WriterId, WriteError> {
        self.reach()?.open_writer(opening).await
    }

    async fn max_hlc(&mut self) -> Result<Hlc, WriteError> {
        self.reach()?.max_hlc().await
    }

    async fn commit(&mut self, batch: &Batch) -> Result<(), WriteError> {
        // Others may act between the writer's decision and the statement.
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.reach()?;
        let shards = self.cluster.shards();
        assert!(batch.events().all(|event| shards.of(event.match_id) == self.shard), "another shard's event");
        match self.cluster.fate() {
            Fate::Executed => self.cluster.execute(batch),
            Fate::LostBefore => Err(lost()),
            Fate::LostAfter => self.cluster.execute(batch).and(Err(lost())),
            Fate::Late => {
                self.cluster.postpone(batch, self.server);
                Err(lost())
            }
            Fate::Transient => Err(WriteError::Transient { what: "simulated".to_owned() }),
        }
    }

    async fn read_commit(
        &mut self,
        writer: WriterId,
        number: BatchNumber,
    ) -> Result<Option<Bytes>, WriteError> {
        self.reach()?.read_commit(writer, number).await
    }

    async fn heads(&mut self, previous: &[(MatchId, Seq)]) -> Result<Vec<MatchHead>, WriteError> {
        self.reach()?.heads(previous).await
    }
}
