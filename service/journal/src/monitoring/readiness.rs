//! Readiness: whether the journal could take an append now.

use crate::{Journal, ReadError, SchemaError, StopReason};

/// Why the journal can't take appends now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// This replica is about to exit.
    #[error("the journal stops: {0}")]
    Stopping(StopReason),
    /// A writer lost its connection and has not reconnected yet.
    #[error("a writer has no connection to the database")]
    WriterDisconnected,
    /// The database does not answer.
    #[error(transparent)]
    Database(#[from] ReadError),
    /// The database accepts no writes: it is a standby, or is set to read-only.
    #[error("the database accepts no writes")]
    ReadOnly,
    /// The schema does not fit this program.
    #[error("the database's schema does not fit this program: {0}")]
    Schema(#[from] SchemaError),
}

impl Journal {
    /// Checks once that the database answers, accepts writes and has the required schema.
    pub async fn check(&self) -> Result<(), Unready> {
        if let Some(reason) = self.inner.lifecycle.stop_reason() {
            return Err(Unready::Stopping(reason));
        }
        self.inner.store.check().await?;
        // Last, so that a database that is down is reported as such.
        if self.inner.lifecycle.disconnected_writers() > 0 {
            Err(Unready::WriterDisconnected)
        } else {
            Ok(())
        }
    }
}
