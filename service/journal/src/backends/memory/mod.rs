//! The journal in memory, for tests and trials. Nothing outlives the process.

mod address;
mod read;
mod rows;
mod webhooks;
mod write;

use std::sync::{Arc, Mutex, MutexGuard};

use self::rows::Rows;

pub(super) use self::address::KIND;

/// A database in memory; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct MemoryDatabase {
    rows: Arc<Mutex<Rows>>,
}

impl MemoryDatabase {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().expect("no holder of this lock panics")
    }
}

/// Changes that tests make behind the journal's back.
#[cfg(test)]
impl MemoryDatabase {
    pub(crate) fn last_event(&self, id: crate::MatchId) -> Option<crate::Seq> {
        self.rows().head(id).map(|head| head.seq)
    }

    pub(crate) fn remove_event(&self, id: crate::MatchId, seq: crate::Seq) {
        self.rows().events.remove(&(id, seq));
    }

    pub(crate) fn remove_commit(&self, writer: crate::ids::WriterId, number: crate::ids::BatchNumber) {
        self.rows().commits.remove(&(writer, number));
    }

    pub(crate) fn put_commit(
        &self,
        writer: crate::ids::WriterId,
        number: crate::ids::BatchNumber,
        body: bytes::Bytes,
    ) {
        self.rows().commits.insert((writer, number), (crate::Hlc(1), body));
    }
}
