//! Why an archive cannot be used.

use std::path::PathBuf;

use archive::ArchiveError;
use journal::ReadError;

use crate::database::DatabaseError;
use crate::keys::KeyFileError;

/// Why an archive cannot be read, or a run of the archiver cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ArchivingError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The database cannot be read.
    #[error("the database can't be read: {0}")]
    Unreadable(#[from] ReadError),
    /// The archive cannot be opened.
    #[error("{0}; create the folder or mount its disk, and check the URL")]
    Archive(#[from] ArchiveError),
    /// The key file cannot be used.
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// The database was never served, so it has nothing to archive.
    #[error("the database was never served: it has no matches to archive")]
    NeverServed,
    /// There is no key file.
    #[error("the key file {} does not exist; name the service's with --key-file", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// The key is not the database's.
    #[error("the key in {} is not the one that this database belongs to; use --key-file", path.display())]
    OtherKey {
        /// The file.
        path: PathBuf,
    },
    /// The name that the database is bound to is malformed.
    #[error("the database has the malformed service name {name}")]
    StoredName {
        /// The name.
        name: String,
    },
    /// The time limit is earlier than any time.
    #[error("--older-than is too long")]
    TooLong,
}
