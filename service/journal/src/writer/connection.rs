//! A writer's connection. Each call has a timeout, and a failed connection is never used again. After a
//! reconnect the writer compares its last commit with the database's, to detect one that lost or replaced
//! committed batches.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::Writer;
use crate::batch::Batch;
use crate::ids::{BatchNumber, WriterId};
use crate::store::{MatchHead, OpeningCommit, Store, WriteError, WriterConnection, retry_pause};
use crate::{Hlc, MatchId, Seq, Shard, StopReason};

/// The connection; absent after a loss.
pub(super) struct Connection {
    store: Arc<dyn Store>,
    shard: Shard,
    connection: Option<Box<dyn WriterConnection>>,
    timeout: Duration,
}

impl Connection {
    pub(super) fn new(store: Arc<dyn Store>, shard: Shard, timeout: Duration) -> Connection {
        Connection { store, shard, connection: None, timeout }
    }

    fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    async fn connect(&mut self) -> Result<(), WriteError> {
        let connected = tokio::time::timeout(self.timeout, self.store.connect(self.shard)).await;
        self.connection = Some(connected.unwrap_or_else(|_| Err(timed_out()))?);
        Ok(())
    }

    pub(super) async fn open_writer(&mut self, opening: &OpeningCommit) -> Result<WriterId, WriteError> {
        self.connect().await?;
        let connection = self.connection.as_mut().ok_or_else(disconnected)?;
        let done = tokio::time::timeout(self.timeout, connection.open_writer(opening)).await;
        self.drop_if_lost(done.unwrap_or_else(|_| Err(timed_out())))
    }

    pub(super) async fn max_hlc(&mut self) -> Result<Hlc, WriteError> {
        let connection = self.connection.as_mut().ok_or_else(disconnected)?;
        let done = tokio::time::timeout(self.timeout, connection.max_hlc()).await;
        self.drop_if_lost(done.unwrap_or_else(|_| Err(timed_out())))
    }

    pub(super) async fn commit(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let connection = self.connection.as_mut().ok_or_else(disconnected)?;
        let done = tokio::time::timeout(self.timeout, connection.commit(batch)).await;
        self.drop_if_lost(done.unwrap_or_else(|_| Err(timed_out())))
    }

    async fn read_commit(
        &mut self,
        writer: WriterId,
        number: BatchNumber,
    ) -> Result<Option<Bytes>, WriteError> {
        let connection = self.connection.as_mut().ok_or_else(disconnected)?;
        let done = tokio::time::timeout(self.timeout, connection.read_commit(writer, number)).await;
        self.drop_if_lost(done.unwrap_or_else(|_| Err(timed_out())))
    }

    pub(super) async fn heads(&mut self, previous: &[(MatchId, Seq)]) -> Result<Vec<MatchHead>, WriteError> {
        let connection = self.connection.as_mut().ok_or_else(disconnected)?;
        let done = tokio::time::timeout(self.timeout, connection.heads(previous)).await;
        self.drop_if_lost(done.unwrap_or_else(|_| Err(timed_out())))
    }

    fn drop_if_lost<T>(&mut self, done: Result<T, WriteError>) -> Result<T, WriteError> {
        if matches!(done, Err(WriteError::Lost { .. })) {
            self.connection = None;
        }
        done
    }
}

fn timed_out() -> WriteError {
    WriteError::Lost { what: "timed out".to_owned() }
}

fn disconnected() -> WriteError {
    WriteError::Lost { what: "not connected".to_owned() }
}

impl Writer {
    /// Prepares the retry of a failed call: reconnects if the connection is lost, otherwise waits.
    pub(super) async fn recover(&mut self, error: &WriteError, attempt: u32) -> Result<(), StopReason> {
        if self.connection.is_connected() {
            tracing::debug!(writer = self.id.0, %error, "a writer's statement failed; retrying");
            tokio::time::sleep(retry_pause(attempt)).await;
            return Ok(());
        }
        self.reconnect(error).await
    }

    /// Reconnects, however long it takes, and checks that the database still has the last acknowledged
    /// commit.
    pub(super) async fn reconnect(&mut self, error: &WriteError) -> Result<(), StopReason> {
        tracing::warn!(writer = self.id.0, %error, "a writer lost its database connection; reconnecting");
        let _disconnected = self.resources.lifecycle.disconnected();
        let mut attempt = 0;
        let body = loop {
            match self.read_last_commit().await {
                Ok(body) => break body,
                Err(_) => tokio::time::sleep(retry_pause(attempt)).await,
            }
            attempt += 1;
        };
        if body.as_ref() != Some(&self.last_commit.body) {
            return Err(StopReason::HistoryChanged);
        }
        tracing::info!(writer = self.id.0, attempts = attempt + 1, "a writer reconnected to the database");
        self.resources.lifecycle.invalidate();
        Ok(())
    }

    async fn read_last_commit(&mut self) -> Result<Option<Bytes>, WriteError> {
        self.connection.connect().await?;
        self.connection.read_commit(self.id, self.last_commit.number).await
    }

    /// Reads a commit of this writer, however often the connection is lost.
    pub(super) async fn read_commit(&mut self, number: BatchNumber) -> Result<Option<Bytes>, StopReason> {
        let mut attempt = 0;
        loop {
            match self.connection.read_commit(self.id, number).await {
                Ok(body) => return Ok(body),
                Err(error) => self.recover(&error, attempt).await?,
            }
            attempt += 1;
        }
    }
}
