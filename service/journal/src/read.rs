//! What reading can come to.

/// Why something could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The database can't be reached or takes too long; later it may go.
    #[error("the database can't be read now: {what}")]
    Unavailable {
        /// What the database or the line to it says; holds no values of rows.
        what: String,
    },
    /// A row is not as the journal writes it.
    #[error("the database holds something that the journal did not write: {what}")]
    Corrupt {
        /// Which column.
        what: String,
    },
}

/// How the database took the fingerprint of the service's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyBinding {
    /// It is remembered from now on.
    First,
    /// It is the one that was remembered.
    Known,
}

/// Why a replica with this key may not serve this database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindKeyError {
    /// The database belongs to a service with another key.
    #[error("the database was made with another service key")]
    OtherKey,
    /// It is unknown, since the database could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}
