//! The last commits of this replica's writers, which the database must keep.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use crate::ids::WriterId;
use crate::store::WriterHead;

/// The last acknowledged commit of each writer.
#[derive(Debug, Default)]
pub(crate) struct OwnHeads(Mutex<HashMap<WriterId, WriterHead>>);

impl OwnHeads {
    /// Records an acknowledged commit.
    pub(crate) fn record(&self, head: WriterHead) {
        self.lock().insert(head.writer, head);
    }

    /// Returns the last commits.
    pub(crate) fn all(&self) -> Vec<WriterHead> {
        self.lock().values().copied().collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WriterId, WriterHead>> {
        self.0.lock().expect("no holder of this lock panics")
    }
}
