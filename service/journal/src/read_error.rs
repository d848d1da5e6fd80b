//! Why a read failed.

use event::{MatchId, Seq};

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
    #[error("the database holds a value that the journal did not write: {what}{}", place(event))]
    Corrupt {
        /// The column.
        what: String,
        /// The event whose row it is, if it is an event's.
        event: Option<(MatchId, Seq)>,
    },
}

impl ReadError {
    /// Adds the event whose row was read.
    pub(crate) fn at(self, match_id: MatchId, seq: Seq) -> Self {
        match self {
            Self::Corrupt { what, .. } => Self::Corrupt { what, event: Some((match_id, seq)) },
            unavailable @ Self::Unavailable { .. } => unavailable,
        }
    }
}

fn place(event: &Option<(MatchId, Seq)>) -> String {
    event.map_or_else(String::new, |(match_id, seq)| format!(" of event {seq} of match {match_id}"))
}
