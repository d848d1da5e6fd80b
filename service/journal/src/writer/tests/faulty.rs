//! A store in memory that fails on demand.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use tokio::time::{Duration, Instant};

use crate::backends::memory::{MemoryDatabase, WithConnections, WriterRoute};
use crate::batch::{Batch, Purpose};
use crate::ids::{BatchNumber, ReplicaId, WriterId};
use crate::store::{Backend, MatchHead, OpeningCommit, WriteError, WriterConnection};
use crate::{Hlc, Journal, JournalConfig, MatchId, Seq, Shard, Shards};

/// What happens to the next commit of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    LostBefore,
    LostAfter,
    Transient,
    Refused,
    /// The call never returns; the writer must time out.
    Hangs,
}

/// What a writer reads to settle a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    Commit,
    Heads,
}

/// The store and its queued faults, one per commit. Without a fault a commit succeeds.
#[derive(Clone, Default)]
pub(super) struct Faulty {
    pub(super) memory: MemoryDatabase,
    faults: Arc<Mutex<VecDeque<Fault>>>,
    /// Applied to the memory when the connection is lost, to simulate another history.
    on_loss: Arc<Mutex<Option<Tampering>>>,
    /// Every batch of events that was sent.
    sent: Arc<Mutex<Vec<(BatchNumber, Hlc, Bytes)>>>,
    /// Until then these reads of the writer fail.
    reads_fail_until: Arc<Mutex<Option<(Read, Instant)>>>,
    failed_reads: Arc<AtomicU32>,
}

/// A change of the data while the writer is disconnected.
pub(super) type Tampering = Box<dyn FnOnce(&MemoryDatabase) + Send>;

impl Faulty {
    pub(super) async fn open(&self) -> Journal {
        let mut config = JournalConfig::new("memory:".parse().unwrap());
        config.timing.write_timeout = Duration::from_secs(30);
        // Measured in real time, however slow the machine is.
        config.timing.contention_period = Duration::from_secs(100_000);
        let backend = Backend {
            store: Arc::new(WithConnections { memory: self.memory.clone(), connections: self.clone() }),
            webhooks: Arc::new(self.memory.clone()),
            tail: None,
            shards: Shards::ONE,
            description: "a faulty store".to_owned(),
        };
        Journal::start(backend, &config, ReplicaId::generate()).await.unwrap()
    }

    pub(super) fn inject(&self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.lock().unwrap().extend(faults);
    }

    pub(super) fn on_loss(&self, tampering: impl FnOnce(&MemoryDatabase) + Send + 'static) {
        *self.on_loss.lock().unwrap() = Some(Box::new(tampering));
    }

    pub(super) fn sent(&self) -> Vec<(BatchNumber, Hlc, Bytes)> {
        self.sent.lock().unwrap().clone()
    }

    /// Makes these reads of the writer fail for a while.
    pub(super) fn fail_reads(&self, read: Read, duration: Duration) {
        *self.reads_fail_until.lock().unwrap() = Some((read, Instant::now() + duration));
    }

    /// Returns how many of the writer's reads failed.
    pub(super) fn failed_reads(&self) -> u32 {
        self.failed_reads.load(Ordering::Relaxed)
    }

    fn try_read(&self, read: Read) -> Result<(), WriteError> {
        let failing = *self.reads_fail_until.lock().unwrap();
        if !failing.is_some_and(|(failing, end)| failing == read && Instant::now() < end) {
            return Ok(());
        }
        self.failed_reads.fetch_add(1, Ordering::Relaxed);
        Err(WriteError::Transient { what: "injected".to_owned() })
    }

    fn lose(&self) -> WriteError {
        if let Some(tampering) = self.on_loss.lock().unwrap().take() {
            tampering(&self.memory);
        }
        WriteError::Lost { what: "injected".to_owned() }
    }
}

#[async_trait]
impl WriterConnection for Faulty {
    async fn open_writer(&mut self, opening: &OpeningCommit) -> Result<WriterId, WriteError> {
        self.memory.open_writer(opening).await
    }

    async fn max_hlc(&mut self) -> Result<Hlc, WriteError> {
        self.memory.max_hlc().await
    }

    async fn commit(&mut self, batch: &Batch) -> Result<(), WriteError> {
        if batch.purpose != Purpose::Events {
            return self.memory.commit(batch).await;
        }
        self.sent.lock().unwrap().push((batch.id.number, batch.id.hlc, batch.body.clone()));
        let fault = self.faults.lock().unwrap().pop_front();
        match fault {
            None => self.memory.commit(batch).await,
            Some(Fault::LostBefore) => Err(self.lose()),
            Some(Fault::LostAfter) => {
                self.memory.commit(batch).await?;
                Err(self.lose())
            }
            Some(Fault::Transient) => Err(WriteError::Transient { what: "injected".to_owned() }),
            Some(Fault::Refused) => Err(WriteError::Refused { what: "injected".to_owned() }),
            Some(Fault::Hangs) => std::future::pending().await,
        }
    }

    async fn read_commit(
        &mut self,
        writer: WriterId,
        number: BatchNumber,
    ) -> Result<Option<Bytes>, WriteError> {
        self.try_read(Read::Commit)?;
        self.memory.read_commit(writer, number).await
    }

    async fn heads(&mut self, previous: &[(MatchId, Seq)]) -> Result<Vec<MatchHead>, WriteError> {
        self.try_read(Read::Heads)?;
        self.memory.heads(previous).await
    }
}

#[async_trait]
impl WriterRoute for Faulty {
    async fn connect(&self, _shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError> {
        Ok(Box::new(self.clone()))
    }
}
