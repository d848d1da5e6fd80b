//! The journal in one SQLite file: one process serves it, one connection writes, a pool reads.

mod connect;
mod failure;
mod lock;
#[cfg(test)]
mod moved;
mod place;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::sync::Arc;
use std::time::Duration;

use sqlx::{SqliteConnection, SqlitePool};
use tokio::sync::Mutex;

use self::lock::FileLock;
use self::place::Place;

#[cfg(test)]
pub(crate) use self::connect::MIGRATOR;
pub(crate) use self::connect::{migrate, open, open_reader};

/// One file, opened.
pub(crate) struct Sqlite {
    place: Place,
    /// The only connection that writes; the lane and the housekeeping take turns. None after a failure.
    writer: Arc<Mutex<Option<SqliteConnection>>>,
    readers: SqlitePool,
    read_within: Duration,
    /// Held as long as the file is served.
    lock: std::sync::Mutex<Option<FileLock>>,
}
