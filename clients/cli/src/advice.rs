//! What a person can do about a refusal or a failure: one sentence a reason.

use crate::{failure::Failure, refusal::Refusal};

/// What to do next, where something helps.
pub(crate) fn advice(failure: &Failure) -> Option<&'static str> {
    match failure {
        Failure::Refused(refusal) => on_refusal(refusal),
        Failure::Unreachable { .. } => {
            Some("start the service with `matchbookd serve`, or name another with --server URL")
        }
        Failure::TokenFile { .. } => Some("move the file away; the seats in it then need --token"),
        Failure::File { .. } => Some("set MATCHBOOK_STATE to a folder that you can write"),
        Failure::Unreadable { .. } => Some("fetch it again with `matchbook export`"),
        Failure::Usage(_) | Failure::LogFile { .. } | Failure::OutputClosed | Failure::Output(_) => None,
    }
}

fn on_refusal(refusal: &Refusal) -> Option<&'static str> {
    match refusal.reason.as_deref()? {
        "unknown_game" => Some("`matchbook games` lists the games"),
        "unknown_match" => Some("check the match's id and --server"),
        "missing_token" => Some("take a seat with `matchbook claim`, or give --token"),
        "bad_token" => Some("give the token that `matchbook claim` printed for this match"),
        "not_allowed" => Some("leave --seat away, or give that seat's token"),
        "seat_taken" => Some("`matchbook show MATCH` tells which seat is free"),
        "match_not_started" => Some("send the match's id to the other player, or `matchbook watch` it"),
        "match_over" => Some("`matchbook show MATCH` draws how it ended, `matchbook new` begins another"),
        "match_not_over" => Some("leave --open away until the match is over"),
        "not_your_turn" => Some("wait for the other seat: `matchbook watch MATCH`"),
        "illegal_move" => Some("`matchbook legal MATCH` lists the moves you can make"),
        "stale_position" => Some("look at the new position with `matchbook show MATCH`, then decide again"),
        "unknown_seq" => Some("`matchbook events MATCH` lists the positions there are"),
        "overloaded" | "too_many_streams" | "shutting_down" => Some("try again in a moment"),
        "outcome_unknown" => {
            Some("look with `matchbook show MATCH` whether it was done before you repeat it")
        }
        "internal" => Some("tell whoever runs the service; its log has the cause"),
        _ => None,
    }
}
