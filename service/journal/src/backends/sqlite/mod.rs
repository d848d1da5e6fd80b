//! The journal in a SQLite file: one process serves it, one connection writes, a pool reads.

mod address;
mod archiving;
mod connect;
mod failure;
mod lock;
mod opened_file;
mod read;
mod statements;
#[cfg(test)]
mod tests;
mod webhooks;
mod write;

use std::sync::Arc;
use std::time::Duration;

use sqlx::{SqliteConnection, SqlitePool};
use tokio::sync::Mutex;

use self::archiving::open_archiver;
use self::connect::{migrate, open, open_reader};
use self::lock::FileLock;
use self::opened_file::OpenedFile;
use self::statements::MatchQueries;

pub(super) use self::address::KIND;
#[cfg(test)]
pub(crate) use self::connect::MIGRATOR;

/// An open SQLite file.
pub(crate) struct Sqlite {
    file: OpenedFile,
    /// The only connection that writes, shared by the writer and housekeeping; `None` after a failure.
    connection: Arc<Mutex<Option<SqliteConnection>>>,
    readers: SqlitePool,
    matches: MatchQueries,
    read_timeout: Duration,
    /// Held while the file is served.
    lock: std::sync::Mutex<Option<FileLock>>,
}
