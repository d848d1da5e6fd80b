//! Binding a database to another service key, so that every replica with the old one ends; and how a replica notices.

use std::sync::Arc;
use std::time::Duration;

use crate::commit_log::{self, Purpose};
use crate::context::Context;
use crate::ids::ReplicaId;
use crate::open::open_store;
use crate::status::{PanicAlarm, StopReason};
use crate::store::{Closed, LaneHead, Opened};
use crate::time::micros;
use crate::{Clock, JournalConfig, OpenError, ReadError, Reader, RecordedTime};

/// A database opened to change its key. It opens no lane. SQLite: nobody serves the file meanwhile.
pub struct KeyChange {
    opened: Opened,
    replica: ReplicaId,
    lane_silence: Duration,
}

/// What came of binding another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebound {
    /// The new one is bound, and no replica with the old one can write any more.
    Done,
    /// The old one is not bound.
    OtherKey,
}

impl KeyChange {
    /// Opens the database; its schema must be this program's.
    pub async fn open(config: &JournalConfig) -> Result<KeyChange, OpenError> {
        // A file that is not there is not made.
        Reader::open(config).await?.close().await;
        let replica = ReplicaId::mint();
        let opened = open_store(config, replica).await?;
        Ok(KeyChange { opened, replica, lane_silence: config.timing.lane_silence })
    }

    /// The fingerprint of the key that is bound; none if nobody has served this database yet.
    pub async fn bound(&self) -> Result<Option<[u8; 32]>, ReadError> {
        self.opened.store.bound_key().await
    }

    /// How many lanes have said lately that they live: a replica has two.
    pub async fn living_lanes(&self) -> Result<usize, ReadError> {
        let Some(tail) = &self.opened.tail else { return Ok(0) };
        let silent_since = self.now().await?.0 - micros(self.lane_silence);
        let open = tail.known_lanes().await?.open;
        Ok(open.iter().filter(|head| head.clock.0 > silent_since).count())
    }

    /// Binds `new` in the place of `old`, in one statement, and then closes every open lane. A replica opens its lanes
    /// before it looks at the key: one that still found the old key has lanes that are closed here.
    pub async fn rebind(&self, old: [u8; 32], new: [u8; 32]) -> Result<Rebound, ReadError> {
        if !self.opened.store.rebind_key(old, new).await? {
            return Ok(Rebound::OtherKey);
        }
        self.fence().await?;
        Ok(Rebound::Done)
    }

    /// Closes every open lane, so that whoever owns one finds its next place taken and stops.
    pub async fn fence(&self) -> Result<(), ReadError> {
        let Some(tail) = &self.opened.tail else { return Ok(()) };
        loop {
            let open = tail.known_lanes().await?.open;
            if open.is_empty() {
                return Ok(());
            }
            for head in open {
                self.close_lane(head).await?;
            }
        }
    }

    /// A lane that goes on meanwhile is met again in the next round.
    async fn close_lane(&self, head: LaneHead) -> Result<Closed, ReadError> {
        let Some(tail) = &self.opened.tail else { return Ok(Closed::NotSilent) };
        let clock = Clock(self.now().await?.0.max(head.clock.0 + 1));
        let body = commit_log::encode(self.replica, Purpose::Closing, std::iter::empty());
        tail.close_lane(head, clock, &body).await
    }

    /// What the database's clock shows.
    pub async fn now(&self) -> Result<RecordedTime, ReadError> {
        self.opened.store.time().await
    }

    /// Lets the database go.
    pub async fn close(self) {
        self.opened.store.close().await;
    }
}

/// Stops the journal when another key is bound, so that a replica that only reads and signs ends too.
pub(crate) async fn watch(context: Arc<Context>, fingerprint: [u8; 32]) {
    let _alarm = PanicAlarm(context.clone());
    let pause = context.timing.key_check;
    while context.closing.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
        // What can't be read is told elsewhere, and asked for again.
        if let Ok(Some(bound)) = context.store.bound_key().await
            && bound != fingerprint
        {
            return context.status.stop(StopReason::KeyChanged);
        }
    }
}
