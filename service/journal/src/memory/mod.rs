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
