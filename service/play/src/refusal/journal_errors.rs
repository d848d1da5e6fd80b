//! The journal's errors as refusals. Each is logged here, once.

use std::time::Duration;

use event::MatchId;
use journal::{AppendError, ReadError};
use wire::v1::ErrorReason;

use super::Refusal;

const RETRY_AFTER_OUTAGE: Duration = Duration::from_secs(1);

/// Returns the refusal for a failed read.
pub(crate) fn of_read_error(error: ReadError) -> Refusal {
    match &error {
        // The refusal is logged, and nothing is wrong.
        ReadError::CursorTooOld { .. } | ReadError::Archived { .. } => {}
        _ => tracing::error!(%error, "reading the journal failed"),
    }
    match error {
        ReadError::Unavailable { .. } => {
            Refusal::new(ErrorReason::Overloaded, "the database is unreachable; retry later")
                .retry_after(RETRY_AFTER_OUTAGE)
        }
        ReadError::Corrupt { .. } => Refusal::internal(),
        ReadError::Archived { .. } => Refusal::new(
            ErrorReason::MatchArchived,
            "the match was moved to the archive, which this service was started without; its operator can \
             start it with --archive URL",
        ),
        ReadError::Archive { .. } => Refusal::new(
            ErrorReason::Overloaded,
            "the match is in the archive, which can't be read; retry later",
        )
        .retry_after(RETRY_AFTER_OUTAGE),
        ReadError::CursorTooOld { .. } => Refusal::new(
            ErrorReason::CursorTooOld,
            "events after this position of the feed were moved to the archive; export their matches, and \
             read the feed on from the cursor in metadata `cursor`",
        ),
    }
}

/// Returns the refusal for a change outside the log that may have taken effect.
pub(crate) fn of_failed_change(match_id: MatchId, error: ReadError) -> Refusal {
    tracing::error!(match.id = %match_id, %error, "changing the database failed");
    Refusal::new(
        ErrorReason::OutcomeUnknown,
        "it is unknown whether the call took effect; repeat it unchanged",
    )
    .retry_after(RETRY_AFTER_OUTAGE)
}

/// Returns the refusal of a call that took effect, but whose response could not be read from the database.
pub(crate) fn unread_after_change() -> Refusal {
    Refusal::new(
        ErrorReason::OutcomeUnknown,
        "the call took effect, but the database did not return the match; repeat it with the same \
         request_id, or get the match",
    )
    .retry_after(RETRY_AFTER_OUTAGE)
}

/// Returns the refusal for a failed append.
pub(crate) fn of_append_error(match_id: MatchId, error: AppendError) -> Refusal {
    match error {
        AppendError::Overloaded { retry_after } => {
            Refusal::new(ErrorReason::Overloaded, "the database takes no more writes at present; retry later")
                .retry_after(retry_after)
        }
        AppendError::OutcomeUnknown => Refusal::new(
            ErrorReason::OutcomeUnknown,
            "it is unknown whether the call took effect; retry it with the same request_id",
        )
        .retry_after(RETRY_AFTER_OUTAGE),
        AppendError::Stopped => Refusal::stopping("the service is shutting down and wrote nothing; retry"),
        AppendError::Conflict
        | AppendError::HistoryChanged
        | AppendError::DuplicateCreate
        | AppendError::Refused { .. }
        | AppendError::TooLarge => {
            tracing::error!(match.id = %match_id, %error, "the journal refused an append");
            Refusal::internal()
        }
    }
}
