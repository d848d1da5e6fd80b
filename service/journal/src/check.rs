//! Whether the journal could take an append right now: what a service says of itself to those who send it calls.

use crate::{Journal, ReadError, SchemaError, StopReason};

/// Why an append would not go well now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// This replica is about to exit.
    #[error("the journal stops: {0}")]
    Stopping(StopReason),
    /// A lane has lost its connection and does not get another.
    #[error("a lane has no connection to the database")]
    LaneDown,
    /// The database does not answer.
    #[error(transparent)]
    Database(#[from] ReadError),
    /// It answers, but takes no writes: a standby, or a server that was set so.
    #[error("the database takes no writes")]
    ReadOnly,
    /// Its tables are not ones that this program can use.
    #[error("the tables are not this program's: {0}")]
    Schema(#[from] SchemaError),
}

impl Journal {
    /// Asks the database, once: does it answer, does it take writes, are its tables the ones that are needed?
    pub async fn check(&self) -> Result<(), Unready> {
        let context = &self.inner.context;
        if let Some(reason) = context.status.reason() {
            return Err(Unready::Stopping(reason));
        }
        context.store.check().await?;
        // Last, so that a database that is gone is called so.
        if context.status.lanes_down() > 0 { Err(Unready::LaneDown) } else { Ok(()) }
    }
}
