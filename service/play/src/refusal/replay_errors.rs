//! Replay errors as refusals. A log that does not replay is logged here, once.

use replay::{Fault, ReplayError};
use wire::v1::ErrorReason;

use super::Refusal;

/// Returns the refusal for a stored log, or a new event, that does not replay. The service never guesses what
/// was meant.
pub(crate) fn of_replay_error(error: ReplayError) -> Refusal {
    let ReplayError { match_id, seq, fault } = error;
    if let Fault::UnknownRules { game, rules_version } = fault {
        return unknown_rules_version(&game, rules_version);
    }
    tracing::error!(match.id = %match_id, match.seq = seq.0, %fault, "a log does not replay");
    Refusal::internal()
}

/// Returns the refusal of a match that is pinned to rules of another build. Nothing is wrong with its log.
fn unknown_rules_version(game: &str, rules_version: u32) -> Refusal {
    let message = format!(
        "the match is pinned to rules version {rules_version} of {game}, which this replica's build lacks; \
         retry once the service is upgraded"
    );
    Refusal::new(ErrorReason::UnknownRulesVersion, message)
        .with("game_id", game)
        .with("rules_version", rules_version)
}
