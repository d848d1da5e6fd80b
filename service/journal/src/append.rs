//! What a caller asks to be appended, what it gets back, and the checks that need no database.

use std::time::Duration;

use crate::{Clock, DeadlineChange, MatchId, MatchRow, NewEvent, Seq};

/// Events that are appended whole or not at all, and the rows that change with them.
#[derive(Clone, Debug)]
pub struct Append {
    /// The match of all the events.
    pub match_id: MatchId,
    /// At least one, with seqs that follow each other.
    pub events: Vec<NewEvent>,
    /// The clock of the event before the first of these; none for a match's first.
    pub after_clock: Option<Clock>,
    /// The match's new line in the directory, if it changes.
    pub match_row: Option<MatchRow>,
    /// The match's new deadline.
    pub deadline: DeadlineChange,
}

/// The events are in the database for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The clock of their batch: the next append's `after_clock`.
    pub clock: Clock,
}

/// Why events are not, or perhaps not, in the database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Somebody else's event has this (match, seq), or the one before is missing: read and judge again.
    #[error("another event has that place in the match")]
    Conflict,
    /// This owner has already created a match with this request.
    #[error("this create request has been carried out already")]
    DuplicateCreate,
    /// Nothing was written, later it may go.
    #[error("the journal is overloaded, try again in {} ms", retry_after.as_millis())]
    Overloaded {
        /// How long to wait.
        retry_after: Duration,
    },
    /// It may or may not have been written: ask again with the same `request_id`.
    #[error("it is unknown whether the events were written")]
    OutcomeUnknown,
    /// The request breaks a rule of the journal or of the database and never will be written.
    #[error("the journal refuses the events: {what}")]
    Refused {
        /// The rule.
        what: String,
    },
    /// More events or bytes than one request may have.
    #[error("too many events or bytes for one request")]
    TooLarge,
    /// Nothing was written: this journal has stopped or is being closed.
    #[error("the journal has stopped")]
    Stopped,
}

/// Most events of one request: one batch at most carries it.
pub const MAX_EVENTS: usize = 512;

/// Most bytes of one request, and of one event's public part.
pub const MAX_BYTES: usize = 4 << 20;

/// Most bytes of one event's sealed part.
pub const MAX_SEALED_BYTES: usize = 64 << 10;

impl Append {
    /// The first and the last seq. Only for what has passed `check`.
    pub(crate) fn ends(&self) -> (Seq, Seq) {
        let first = self.events.first().expect("checked: at least one event").event.seq;
        let last = self.events.last().expect("checked: at least one event").event.seq;
        (first, last)
    }

    /// The bytes it takes in a batch.
    pub(crate) fn size(&self) -> usize {
        self.events.iter().map(NewEvent::size).sum()
    }

    /// Finds what can never be written, so that it doesn't spoil a batch for others.
    pub(crate) fn check(&self) -> Result<(), AppendError> {
        if self.events.len() > MAX_EVENTS || self.size() > MAX_BYTES {
            return Err(AppendError::TooLarge);
        }
        if self.events.iter().any(|new| new.sealed().is_some_and(|bytes| bytes.len() > MAX_SEALED_BYTES)) {
            return Err(AppendError::TooLarge);
        }
        match self.broken_rule() {
            Some(rule) => Err(AppendError::Refused { what: rule.to_owned() }),
            None => Ok(()),
        }
    }

    fn broken_rule(&self) -> Option<&'static str> {
        let Some(first) = self.events.first() else { return Some("no events") };
        if first.event.seq.0 == 0 {
            return Some("seq 0");
        }
        if self.events.last().is_some_and(|last| i32::try_from(last.event.seq.0).is_err()) {
            return Some("seq beyond the last one");
        }
        if self.events.windows(2).any(|pair| pair[0].event.seq.next() != pair[1].event.seq) {
            return Some("seqs that don't follow each other");
        }
        if (first.event.seq.0 == 1) != self.after_clock.is_none() {
            return Some("after_clock belongs to every append but a match's first");
        }
        if self.match_row.as_ref().is_some_and(|row| row.match_id != self.match_id) {
            return Some("the row of another match");
        }
        self.events.iter().any(|new| new.event.kind == 0).then_some("kind 0")
    }
}
