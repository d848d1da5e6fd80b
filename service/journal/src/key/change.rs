//! Binding a database to another service key, so that every replica with the old one stops.

use std::time::Duration;

use crate::batch::{Purpose, encode_empty_body};
use crate::database_time::micros;
use crate::ids::ReplicaId;
use crate::store::{Backend, CloseOutcome, TailSource, WriterHead};
use crate::{BoundKey, Hlc, JournalConfig, OpenError, ReadError, Reader, RecordTime, ServiceIdentity};

/// A database opened to change its key, without a writer. A SQLite file can't be served meanwhile.
pub struct KeyChange {
    backend: Backend,
    replica: ReplicaId,
    silence_timeout: Duration,
}

/// The outcome of binding another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebindOutcome {
    /// The new key is bound, and no replica with the old one can write any more.
    Rebound,
    /// The old key is not the bound one; nothing was changed.
    OtherKey,
    /// The database's role may not change the key; nothing was changed.
    NotPermitted,
}

impl KeyChange {
    /// Opens the database. Its schema must be this program's.
    pub async fn open(config: &JournalConfig) -> Result<KeyChange, OpenError> {
        // Fails if a SQLite file does not exist; opening for serving would create it.
        Reader::open(config).await?.close().await;
        let replica = ReplicaId::generate();
        let backend = config.open_backend(replica).await?;
        Ok(KeyChange { backend, replica, silence_timeout: config.timing.silence_timeout })
    }

    /// Returns what the database is bound to, or `None` if it was never served.
    pub async fn bound(&self) -> Result<Option<BoundKey>, ReadError> {
        self.backend.store.bound_key().await
    }

    /// Counts the writers that have committed within the silence timeout. A replica has
    /// two of each shard.
    pub async fn live_writers(&self) -> Result<usize, ReadError> {
        let Some(tail) = &self.backend.tail else { return Ok(0) };
        let silent_since = self.now().await?.0 - micros(self.silence_timeout);
        let open = tail.known_writers().await?.open;
        Ok(open.iter().filter(|head| head.hlc.0 > silent_since).count())
    }

    /// Binds `new` in place of the key `old`, in one statement, then fences. A replica opens its writers
    /// before it checks the key: if it still found the old key, its writers are closed here.
    pub async fn rebind(&self, old: [u8; 32], new: &ServiceIdentity) -> Result<RebindOutcome, ReadError> {
        let outcome = self.backend.store.rebind_key(old, new).await?;
        if outcome == RebindOutcome::Rebound {
            self.fence().await?;
        }
        Ok(outcome)
    }

    /// Closes every open writer. Its replica finds the number of its next batch taken and stops.
    pub async fn fence(&self) -> Result<(), ReadError> {
        let Some(tail) = &self.backend.tail else { return Ok(()) };
        loop {
            let open = tail.known_writers().await?.open;
            if open.is_empty() {
                return Ok(());
            }
            for head in open {
                self.close_writer(tail.as_ref(), head).await?;
            }
        }
    }

    /// Closes a writer, unless it commits meanwhile: then the next round tries again.
    async fn close_writer(&self, tail: &dyn TailSource, head: WriterHead) -> Result<CloseOutcome, ReadError> {
        let hlc = Hlc(self.now().await?.0).max(head.hlc.next());
        let body = encode_empty_body(self.replica, Purpose::Closing);
        tail.close_writer(head, hlc, &body).await
    }

    /// Returns the time of the database's clock.
    pub async fn now(&self) -> Result<RecordTime, ReadError> {
        self.backend.store.time().await
    }

    /// Closes the connections.
    pub async fn close(self) {
        self.backend.store.close().await;
    }
}
