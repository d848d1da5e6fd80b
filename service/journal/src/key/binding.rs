//! Binding a database to its service: the key and the name.

use crate::ReadError;

/// The service that a database belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceIdentity {
    /// The fingerprint of the service key.
    pub fingerprint: [u8; 32],
    /// The name that logs are signed under.
    pub name: String,
}

/// What a database is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundKey {
    /// The service.
    pub service: ServiceIdentity,
    /// The service's name before its key was last changed; `None` if it never was.
    pub previous_name: Option<String>,
}

/// How a database was bound to a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyBinding {
    /// The database was bound to no service before.
    First,
    /// The database was already bound to this service.
    Known,
}

/// Why a replica of this service may not serve this database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindKeyError {
    /// The database is bound to another key.
    #[error("the database is bound to another service key")]
    OtherKey,
    /// The database is bound to the same key under another name.
    #[error("logs of this database are signed under the name {bound}")]
    OtherName {
        /// The name that the database is bound to.
        bound: String,
    },
    /// The database could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}
