//! Binding a database to the service key of its service.

use crate::ReadError;

/// How a database was bound to a service key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyBinding {
    /// The database was bound to no key before.
    First,
    /// The database was already bound to this key.
    Known,
}

/// Why a replica with this key may not serve this database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindKeyError {
    /// The database is bound to another key.
    #[error("the database is bound to another service key")]
    OtherKey,
    /// The database could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}
