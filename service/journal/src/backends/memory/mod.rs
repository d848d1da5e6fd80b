//! The journal in memory, for tests and trials. Nothing outlives the process.

mod address;
mod index;
mod listing;
mod read;
mod rows;
mod webhooks;
#[cfg(test)]
mod with_connections;
mod write;

use std::sync::{Arc, Mutex, MutexGuard};

use self::rows::Rows;

pub(super) use self::address::KIND;
#[cfg(test)]
pub(crate) use self::with_connections::{WithConnections, WriterRoute};

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
        hlc: crate::Hlc,
        body: bytes::Bytes,
    ) {
        self.rows().commits.insert((writer, number), (hlc, body));
    }

    /// Returns another database with the same rows.
    pub(crate) fn copy(&self) -> MemoryDatabase {
        MemoryDatabase { rows: Arc::new(Mutex::new(self.rows().clone())) }
    }

    /// Replaces all rows by those of another database.
    pub(crate) fn go_back_to(&self, earlier: &MemoryDatabase) {
        let rows = earlier.rows().clone();
        *self.rows() = rows;
    }

    /// Returns all events by match and seq.
    pub(crate) fn stored_events(&self) -> impl Iterator<Item = (crate::MatchId, crate::StoredEvent)> {
        let events = self.rows().events.clone();
        events.into_iter().map(|((match_id, _), stored)| (match_id, stored))
    }

    /// Returns the commit log by writer and number.
    pub(crate) fn logged_commits(&self) -> Vec<crate::store::LoggedCommit> {
        let logged = |(&(writer, number), (hlc, body)): (&(_, _), &(_, bytes::Bytes))| {
            let head = crate::store::WriterHead { writer, number, hlc: *hlc };
            crate::store::LoggedCommit { head, body: body.clone() }
        };
        self.rows().commits.iter().map(logged).collect()
    }
}
