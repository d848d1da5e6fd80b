//! Why a read failed.

/// Why a read failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The database can't be reached or is too slow; a later attempt may succeed.
    #[error("the database can't be read: {what}")]
    Unavailable {
        /// The message of the database or the driver, without values of rows.
        what: String,
    },
    /// A row is not one that the journal writes.
    #[error("the database holds a value that the journal did not write: {what}")]
    Corrupt {
        /// The column.
        what: String,
    },
}
