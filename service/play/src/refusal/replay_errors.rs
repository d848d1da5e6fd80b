//! Replay errors as refusals. Each is logged here, once.

use replay::ReplayError;

use super::Refusal;

/// Returns the refusal for a stored log, or a new event, that does not replay. The service never guesses what
/// was meant.
pub(crate) fn of_replay_error(error: ReplayError) -> Refusal {
    let ReplayError { match_id, seq, fault } = error;
    tracing::error!(match.id = %match_id, match.seq = seq.0, %fault, "a log does not replay");
    Refusal::internal()
}
