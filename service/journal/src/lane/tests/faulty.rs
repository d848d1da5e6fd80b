//! A store in memory that fails on order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use crate::batch::Batch;
use crate::commit_log::Purpose;
use crate::directory::MatchRange;
use crate::feed::{FeedRange, FeedRow, LanesSeen};
use crate::ids::ReplicaId;
use crate::memory::Memory;
use crate::store::{Bound, LaneConnection, Opened, Opening, Store, WriteError};
use crate::{
    Clock, Deadline, Journal, JournalConfig, Lane, LaneNo, MatchId, MatchRow, ReadError, RecordedTime, Seq,
    StoredEvent,
};

/// What happens to the next write of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    LostBefore,
    LostAfter,
    Transient,
    Refused,
    /// It never comes back; the lane must give it up.
    Hangs,
}

/// The store and its orders, taken one a write; without an order a write goes well.
#[derive(Clone, Default)]
pub(super) struct Faulty {
    pub(super) memory: Memory,
    orders: Arc<Mutex<VecDeque<Fault>>>,
    /// Done to the memory when a connection is lost: what another history has instead.
    on_loss: Arc<Mutex<Option<Tampering>>>,
    /// Every body that was sent with events.
    sent: Arc<Mutex<Vec<(LaneNo, Clock, Bytes)>>>,
}

/// What happens to the data while the lane is not connected.
pub(super) type Tampering = Box<dyn FnOnce(&Memory) + Send>;

impl Faulty {
    pub(super) async fn open(&self) -> Journal {
        let mut config = JournalConfig::new("memory:".parse().unwrap());
        config.timing.write_within = Duration::from_secs(30);
        let opened =
            Opened { store: Arc::new(self.clone()), tail: None, description: "a faulty store".to_owned() };
        Journal::over(opened, &config, ReplicaId::mint()).await.unwrap()
    }

    pub(super) fn order(&self, faults: impl IntoIterator<Item = Fault>) {
        self.orders.lock().unwrap().extend(faults);
    }

    pub(super) fn on_loss(&self, tampering: impl FnOnce(&Memory) + Send + 'static) {
        *self.on_loss.lock().unwrap() = Some(Box::new(tampering));
    }

    pub(super) fn sent(&self) -> Vec<(LaneNo, Clock, Bytes)> {
        self.sent.lock().unwrap().clone()
    }

    fn lose(&self) -> WriteError {
        if let Some(tampering) = self.on_loss.lock().unwrap().take() {
            tampering(&self.memory);
        }
        WriteError::Lost { what: "as ordered".to_owned() }
    }
}

#[async_trait]
impl LaneConnection for Faulty {
    async fn open_lane(&mut self, opening: &Opening) -> Result<Lane, WriteError> {
        self.memory.open_lane(opening).await
    }

    async fn latest_clock(&mut self) -> Result<Clock, WriteError> {
        self.memory.latest_clock().await
    }

    async fn write(&mut self, batch: &Batch) -> Result<(), WriteError> {
        if batch.purpose != Purpose::Events {
            return self.memory.write(batch).await;
        }
        self.sent.lock().unwrap().push((batch.no, batch.clock, batch.body.clone()));
        let order = self.orders.lock().unwrap().pop_front();
        match order {
            None => self.memory.write(batch).await,
            Some(Fault::LostBefore) => Err(self.lose()),
            Some(Fault::LostAfter) => {
                self.memory.write(batch).await?;
                Err(self.lose())
            }
            Some(Fault::Transient) => Err(WriteError::Transient { what: "as ordered".to_owned() }),
            Some(Fault::Refused) => Err(WriteError::Refused { what: "as ordered".to_owned() }),
            Some(Fault::Hangs) => std::future::pending().await,
        }
    }

    async fn logged(&mut self, lane: Lane, no: LaneNo) -> Result<Option<Bytes>, WriteError> {
        self.memory.logged(lane, no).await
    }

    async fn heads(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Seq)>, WriteError> {
        self.memory.heads(ids).await
    }
}

#[async_trait]
impl Store for Faulty {
    fn system(&self) -> &'static str {
        "memory"
    }

    async fn connect(&self) -> Result<Box<dyn LaneConnection>, WriteError> {
        Ok(Box::new(self.clone()))
    }

    async fn events(&self, id: MatchId, after: Seq, limit: u32) -> Result<Vec<StoredEvent>, ReadError> {
        self.memory.events(id, after, limit).await
    }

    async fn head(&self, id: MatchId) -> Result<Option<Seq>, ReadError> {
        self.memory.head(id).await
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        self.memory.match_row(id).await
    }

    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        self.memory.match_by_create_request(owner, hash).await
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        self.memory.list_matches(range).await
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordedTime) -> Result<u64, ReadError> {
        self.memory.count_matches(game, since).await
    }

    async fn lanes(&self) -> Result<LanesSeen, ReadError> {
        self.memory.lanes().await
    }

    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        self.memory.feed(range).await
    }

    async fn due(&self, until: RecordedTime, limit: u32) -> Result<Vec<Deadline>, ReadError> {
        self.memory.due(until, limit).await
    }

    async fn bind_key(&self, fingerprint: [u8; 32]) -> Result<Bound, ReadError> {
        self.memory.bind_key(fingerprint).await
    }

    async fn bound_key(&self) -> Result<Option<[u8; 32]>, ReadError> {
        self.memory.bound_key().await
    }

    async fn rebind_key(&self, old: [u8; 32], new: [u8; 32]) -> Result<bool, ReadError> {
        self.memory.rebind_key(old, new).await
    }

    async fn time(&self) -> Result<RecordedTime, ReadError> {
        self.memory.time().await
    }

    async fn forget(&self, before: Clock, limit: u32) -> Result<u64, ReadError> {
        self.memory.forget(before, limit).await
    }

    async fn close(&self) {}
}
