//! Why a rotation of the service key failed.

use std::io;
use std::path::PathBuf;

use journal::ReadError;

use super::service_key_error::KeyFileError;
use crate::database::DatabaseError;

/// Why a rotation failed or was interrupted.
#[derive(Debug, thiserror::Error)]
pub enum RotateKeyError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The connection was lost, possibly after the database was bound to the new key.
    #[error("{0}; the rotation may be incomplete, run the command again to resume it")]
    Unsettled(#[from] ReadError),
    /// A key file cannot be used.
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// The database has never been served.
    #[error("the database has no service key yet; the first start of the service creates one")]
    NoKey,
    /// The current key file does not exist.
    #[error(
        "the key file {} does not exist; restore it from a backup, or pass its path with --key-file",
        path.display()
    )]
    Lost {
        /// The missing file.
        path: PathBuf,
    },
    /// The database is bound to another key.
    #[error(
        "the database is bound to another key than the one in {}; pass the right file with --key-file",
        path.display()
    )]
    OtherKey {
        /// The file with the other key.
        path: PathBuf,
    },
    /// The database belongs to a service with another name.
    #[error(
        "this database belongs to the service {bound}, but the given name is {given}; nothing was changed: \
         omit --service-name, or pass the new name with --rename-to"
    )]
    OtherName {
        /// The name that the database is bound to.
        bound: String,
        /// The given name.
        given: String,
    },
    /// The database has a name that no service can have.
    #[error("the database's service name {name} is not valid; it was written by something else")]
    StoredName {
        /// The stored name.
        name: String,
    },
    /// The database's role may not change the key.
    #[error(
        "nothing was changed: this role may not update the table service_key; run the command with the URL \
         of the tables' owner"
    )]
    NotPermitted,
    /// Replicas are serving.
    #[error(
        "replicas are serving ({writers} open writers, two per replica); stop the service, wait for \
         --replica-silence if it was killed, or pass --fence to stop every replica that has the old key"
    )]
    Serving {
        /// The number of open writers.
        writers: usize,
    },
    /// The file of retired keys cannot be written.
    #[error("{} cannot be written: {cause}; this command has changed nothing", path.display())]
    NoRetiredKeysFile {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },
    /// The retired key's line cannot be appended.
    #[error("cannot append the retired key to {}: {cause}; run the command again", path.display())]
    RetiredKeysFile {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },
}

impl RotateKeyError {
    /// Returns the setting whose value is the cause, as its flag without the dashes. `None` if the value may
    /// be right, and what it names is not as it should be.
    pub fn setting(&self) -> Option<&'static str> {
        match self {
            Self::KeyFile(_) | Self::Lost { .. } | Self::OtherKey { .. } => Some("key-file"),
            Self::OtherName { .. } => Some("service-name"),
            Self::NoRetiredKeysFile { .. } | Self::RetiredKeysFile { .. } => Some("retired-keys-file"),
            Self::Database(_)
            | Self::Unsettled(_)
            | Self::NotPermitted
            | Self::NoKey
            | Self::StoredName { .. }
            | Self::Serving { .. } => None,
        }
    }
}
