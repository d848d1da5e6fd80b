//! Why a database URL is malformed, and why a journal can't be opened.

use std::path::PathBuf;

use sqlx::migrate::MigrateError;

use crate::{ReadError, SchemaError, Shards};

/// Why a text is not a database URL. Does not repeat the text, which may contain a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The scheme is unknown.
    #[error("the database URL must have one of these forms: {known}")]
    UnknownScheme {
        /// The forms of URLs with known ones.
        known: String,
    },
    /// The rest of the URL does not fit its scheme.
    #[error("{what}")]
    Malformed {
        /// What it must be.
        what: &'static str,
    },
}

/// Why a journal can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The database can't be reached.
    #[error("{0}")]
    Unreachable(ReadError),
    /// The server refuses the role or its password, or has no such database.
    #[error("the database server refuses the connection: {what}")]
    Rejected {
        /// The server's message.
        what: String,
    },
    /// The file does not exist, and is not created for reading.
    #[error("the file {} does not exist", path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// The server's certificate is not valid, or the server does not speak TLS.
    #[error("no trusted TLS connection to the database: {what}")]
    Untrusted {
        /// The driver's message.
        what: String,
    },
    /// The rights could not be granted.
    #[error("the server refuses: {what}")]
    Grant {
        /// The database's message.
        what: String,
    },
    /// Only Postgres has roles to grant rights to.
    #[error("only Postgres has roles")]
    NoRoles,
    /// Another process serves this SQLite file.
    #[error("the database {} is in use by another process, perhaps under another name", database.display())]
    InUse {
        /// The database.
        database: PathBuf,
    },
    /// Another archiver has this database open.
    #[error("another archiver runs on this database")]
    OtherArchiver,
    /// A database in memory has nothing to archive.
    #[error("a database in memory has nothing to archive")]
    NothingToArchive,
    /// This SQLite file has other names in the file system, under which its newest commits are not found.
    #[error("the database {} has {names} names (hard links)", database.display())]
    ManyNames {
        /// The database.
        database: PathBuf,
        /// Number of its names.
        names: u64,
    },
    /// The database file can't be opened.
    #[error("can't open {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The schema could not be migrated.
    #[error("the migration failed: {what}")]
    Migration {
        /// The database's message.
        what: String,
    },
    /// There is no schema, or it can't be read.
    #[error("the database was not migrated: {what}")]
    NotMigrated {
        /// The database's message.
        what: String,
    },
    /// The schema does not fit this program.
    #[error("the database's schema does not fit this program: {0}")]
    Schema(#[from] SchemaError),
    /// The database has another number of shards than it was to get.
    #[error(
        "the database has {} and can't get {}: the number is chosen before a database is first served",
        count_of(*stored), wanted.count()
    )]
    OtherShards {
        /// Its number of shards.
        stored: Shards,
        /// The number that it was to get.
        wanted: Shards,
    },
    /// Keys of tables are not those of the number of shards that the database records: it was changed by hand
    /// or restored in part. Nothing is read or written.
    #[error("the database has {}, but not the keys of tables {tables}", count_of(*shards))]
    ShardKeys {
        /// The recorded number of shards.
        shards: Shards,
        /// The tables, separated by commas.
        tables: String,
    },
    /// The database does not record its number of shards: it was restored in part.
    #[error("the database does not record its number of shards")]
    UnknownShards,
    /// Only Postgres has several shards.
    #[error("only Postgres can have several shards")]
    NoShards,
    /// A read database was given, but one of the two is not Postgres.
    #[error("a read database requires Postgres, and must be a standby of the same cluster")]
    NoStandby,
    /// A writer could not be opened.
    #[error("no writer can be opened: {what}")]
    Writer {
        /// The database's message.
        what: String,
    },
}

/// Formats a number of shards.
fn count_of(shards: Shards) -> String {
    match shards {
        Shards::ONE => "1 shard".to_owned(),
        shards => format!("{} shards", shards.count()),
    }
}

impl OpenError {
    /// Converts a failed migration. `text` formats a database error without passwords and rows.
    pub(crate) fn of_migration(error: &MigrateError, text: impl Fn(&sqlx::Error) -> String) -> OpenError {
        let what = match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => text(error),
            error => error.to_string(),
        };
        OpenError::Migration { what }
    }
}
