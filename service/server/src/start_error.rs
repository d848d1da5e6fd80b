//! Why a server does not start.

use std::path::PathBuf;

use crate::database::DatabaseError;
use crate::keys::KeyFileError;
use crate::listener::{ListenError, TlsError};
use crate::telemetry::OtlpError;

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerStartError {
    /// The address cannot be listened on.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// The address of the health checks cannot be listened on.
    #[error(transparent)]
    HealthListen(ListenError),
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The metrics cannot be exported as configured.
    #[error(transparent)]
    Otlp(#[from] OtlpError),
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The archive cannot be opened.
    #[error("{0}; create the folder or mount its disk, and check --archive")]
    Archive(#[from] archive::ArchiveError),
    /// The service key file cannot be used.
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// The database is bound to another key.
    #[error(
        "the key file {} is not the key of this database, so no token could be verified; pass the right file \
         with --key-file, or restore it from a backup", path.display()
    )]
    OtherKey {
        /// The file with the other key.
        path: PathBuf,
    },
    /// The database is bound to the key under another name.
    #[error(
        "this database belongs to the service {bound}, but the configured name is {given}; start with \
         --service-name {bound}, or rename the service with `matchbookd key rotate --rename-to {given}`"
    )]
    OtherName {
        /// The name that the database is bound to.
        bound: String,
        /// The configured name.
        given: String,
    },
    /// The database is bound to the next key, which has not replaced the key file yet.
    #[error(
        "the database is bound to the key in {}.next, as `matchbookd key rotate` was interrupted; run it \
         again to finish", path.display()
    )]
    HalfRotated {
        /// The file of the old key.
        path: PathBuf,
    },
    /// The database is bound to a key, and the key file does not exist.
    #[error(
        "the key file {} does not exist, but this database has a key; restore the file from a backup, or \
         pass its path with --key-file", path.display()
    )]
    LostKey {
        /// The missing file.
        path: PathBuf,
    },
    /// The database cannot be read.
    #[error("cannot read the database: {0}")]
    Play(play::StartError),
}

impl ServerStartError {
    /// Returns the setting whose value is the cause, as its flag without the dashes. `None` if the value may
    /// be right, and what it names is not as it should be.
    pub fn setting(&self) -> Option<&'static str> {
        match self {
            Self::Listen(_) => Some("listen"),
            Self::HealthListen(_) => Some("health-listen"),
            Self::Tls(error) => Some(error.setting()),
            Self::KeyFile(_) | Self::OtherKey { .. } | Self::LostKey { .. } => Some("key-file"),
            Self::OtherName { .. } => Some("service-name"),
            Self::Archive(_) => Some("archive"),
            Self::Otlp(_) | Self::Database(_) | Self::HalfRotated { .. } | Self::Play(_) => None,
        }
    }
}
