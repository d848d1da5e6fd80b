//! Why a read failed.

use event::{MatchId, Seq};

use crate::FeedCursor;

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
    /// The match's log is in the archive, and this journal was opened without one.
    #[error("the log of match {match_id} is in the archive, which this process was not given")]
    Archived {
        /// The match.
        match_id: MatchId,
    },
    /// The archive can't be reached or returns something wrong.
    #[error("the archive can't be read: {what}")]
    Archive {
        /// The reader's message.
        what: String,
    },
    /// Events after the reader's position were moved to the archive.
    #[error("events after this position of the feed were moved to the archive")]
    CursorTooOld {
        /// The position from which on the feed is complete.
        complete_after: FeedCursor,
    },
}

impl ReadError {
    /// Adds the event whose row was read.
    pub(crate) fn at(self, match_id: MatchId, seq: Seq) -> Self {
        match self {
            Self::Corrupt { what, .. } => Self::Corrupt { what, event: Some((match_id, seq)) },
            other => other,
        }
    }
}

fn place(event: &Option<(MatchId, Seq)>) -> String {
    event.map_or_else(String::new, |(match_id, seq)| format!(" of event {seq} of match {match_id}"))
}
