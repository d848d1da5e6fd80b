//! The journal in memory: for tests and for trying things out. Nothing outlives the process.

mod read;
mod rows;
mod write;

use std::sync::{Arc, Mutex, MutexGuard};

use self::rows::Rows;

/// One database; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    rows: Arc<Mutex<Rows>>,
}

impl Memory {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().expect("no holder of this lock panics")
    }
}

/// What tests do behind the journal's back.
#[cfg(test)]
impl Memory {
    pub(crate) fn last_event(&self, id: crate::MatchId) -> Option<crate::Seq> {
        self.rows().head(id)
    }

    pub(crate) fn remove_event(&self, id: crate::MatchId, seq: crate::Seq) {
        self.rows().events.remove(&(id, seq));
    }

    pub(crate) fn remove_commit(&self, lane: crate::Lane, no: crate::LaneNo) {
        self.rows().commits.remove(&(lane, no));
    }

    pub(crate) fn put_commit(&self, lane: crate::Lane, no: crate::LaneNo, body: bytes::Bytes) {
        self.rows().commits.insert((lane, no), (crate::Clock(1), body));
    }
}
