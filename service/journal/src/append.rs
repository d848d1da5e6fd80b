//! The request to append events, its answer, and the checks that need no database.

use std::time::Duration;

use event::{ChainHash, Seats};

use crate::directory::MAX_SEATS;
use crate::{DeadlineChange, Hlc, Labels, MatchId, MatchRow, NewEvent, Seq};

/// Events to append as a whole or not at all, with the row changes that go with them.
#[derive(Clone, Debug)]
pub struct Append {
    /// The match that all events belong to.
    pub match_id: MatchId,
    /// At least one event; their seqs are consecutive, and each was decided on the one before.
    pub events: Vec<NewEvent>,
    /// The event before the first of these; `None` for a match's first event.
    pub after: Option<Predecessor>,
    /// The match's new row in the directory, if it changes.
    pub match_row: Option<MatchRow>,
    /// The change of the match's deadline.
    pub deadline: DeadlineChange,
    /// The labels of a new match.
    pub labels: Labels,
    /// The seats to act after the last of these events.
    pub to_act: Seats,
}

/// The event that an append follows. Nothing is written unless the database has exactly this event there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predecessor {
    /// Its hash.
    pub hash: ChainHash,
    /// The `Hlc` of its batch.
    pub hlc: Hlc,
}

/// The answer to an append whose events are durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The `Hlc` of the batch, for the `Predecessor` of the match's next append.
    pub hlc: Hlc,
}

/// Why an append failed or may have failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Another event has this (match, seq): read the newer events and decide again.
    #[error("another event was appended at this position of the match; read the newer events")]
    Conflict,
    /// The event before is missing or another one: the database has another history of the match than its
    /// reader saw. Read the match again from its first event.
    #[error("the event before is missing or another one; read the match again from its first event")]
    HistoryChanged,
    /// This owner has already created a match with this request or this external id.
    #[error("a match was already created by this request or with this external id")]
    DuplicateCreate,
    /// Nothing was written; a later attempt may succeed.
    #[error("the journal is overloaded; retry in {} ms", retry_after.as_millis())]
    Overloaded {
        /// How long to wait before the next attempt.
        retry_after: Duration,
    },
    /// The events may or may not have been written: retry with the same `request_id`.
    #[error("it is unknown whether the events were written; retry with the same request id")]
    OutcomeUnknown,
    /// The append violates a rule of the journal or of the database. It would always fail.
    #[error("the journal rejects the events: {what}")]
    Refused {
        /// The violated rule.
        what: String,
    },
    /// The append has more events or bytes than allowed.
    #[error("too many events or bytes in one append")]
    TooLarge,
    /// Nothing was written: the journal has stopped or is closing.
    #[error("the journal has stopped")]
    Stopped,
}

/// Maximum number of events per append. A batch always has room for one append.
pub const MAX_EVENTS: usize = 512;

/// Maximum size of an append, and of an event's public part, in bytes.
pub const MAX_BYTES: usize = 4 << 20;

/// Maximum size of an event's sealed part, in bytes.
pub const MAX_SEALED_BYTES: usize = 64 << 10;

impl Append {
    /// Returns the first seq. Requires a successful `check`.
    pub(crate) fn first_seq(&self) -> Seq {
        self.events.first().expect("`check` requires an event").event.seq
    }

    /// Returns the seq before the first, 0 for a match's first event. Requires a successful `check`.
    pub(crate) fn previous_seq(&self) -> Seq {
        self.first_seq().previous()
    }

    /// Returns the last seq. Requires a successful `check`.
    pub(crate) fn last_seq(&self) -> Seq {
        self.events.last().expect("`check` requires an event").event.seq
    }

    /// Returns the bytes that the append takes up in a batch.
    pub(crate) fn size(&self) -> usize {
        self.events.iter().map(NewEvent::size).sum()
    }

    /// Rejects what the database would reject, so that it does not fail a whole batch.
    pub(crate) fn check(&self) -> Result<(), AppendError> {
        if self.events.len() > MAX_EVENTS || self.size() > MAX_BYTES {
            return Err(AppendError::TooLarge);
        }
        if self.events.iter().any(|new| new.sealed().is_some_and(|bytes| bytes.len() > MAX_SEALED_BYTES)) {
            return Err(AppendError::TooLarge);
        }
        match self.violated_rule() {
            Some(rule) => Err(AppendError::Refused { what: rule.to_owned() }),
            None => Ok(()),
        }
    }

    fn violated_rule(&self) -> Option<&'static str> {
        let Some(first) = self.events.first() else { return Some("there are no events") };
        if first.event.seq.0 == 0 {
            return Some("seq is 0");
        }
        if self.events.last().is_some_and(|last| i32::try_from(last.event.seq.0).is_err()) {
            return Some("seq is greater than 2^31 - 1");
        }
        if self.events.windows(2).any(|pair| pair[0].event.seq.next() != pair[1].event.seq) {
            return Some("seqs are not consecutive");
        }
        if (first.event.seq.0 == 1) != self.after.is_none() {
            return Some("a predecessor is required, except for a match's first event");
        }
        if self.match_row.as_ref().is_some_and(|row| row.match_id != self.match_id) {
            return Some("the row belongs to another match");
        }
        if self.match_row.as_ref().is_some_and(|row| !(1..=MAX_SEATS).contains(&row.seats.len())) {
            return Some("the match has no seats or more than 8");
        }
        if !self.labels.0.is_empty() && (self.after.is_some() || self.match_row.is_none()) {
            return Some("labels are appended with a new match only");
        }
        self.events.iter().any(|new| new.event.kind == 0).then_some("kind is 0")
    }
}
