//! What a person can do about a refusal or a failure: one sentence a reason.

use crate::failure::Failure;
use crate::refusal::Refusal;

/// What to do next, where something helps.
pub(crate) fn advice(failure: &Failure) -> Option<&'static str> {
    match failure {
        Failure::Refused(refusal) => on_refusal(refusal),
        Failure::Unreachable { .. } => {
            Some("start the service with `matchbookd serve`, or name another with --server URL")
        }
        Failure::StateFile { .. } => {
            Some("move the file away; seats in it then need --token, API keys `matchbook login`")
        }
        Failure::File { .. } => Some("set MATCHBOOK_STATE to a folder that you can write"),
        Failure::Unreadable { .. } => Some("fetch it again with `matchbook export`"),
        Failure::Usage(_)
        | Failure::Input(_)
        | Failure::LogFile { .. }
        | Failure::OutputClosed
        | Failure::Output(_) => None,
    }
}

fn on_refusal(refusal: &Refusal) -> Option<&'static str> {
    match refusal.reason.as_deref()? {
        "unknown_game" => Some("`matchbook games` lists the games"),
        "unknown_match" => Some(
            "check the match's id and --server; a private match is shown to its seats (--seat, --token) and to its \
             owner (`matchbook login`)",
        ),
        "missing_token" => Some("take a seat with `matchbook claim`, or give --token"),
        "bad_token" => Some(
            "give the newest token of a seat of this match, or log in anew with `matchbook login`; `matchbook rotate` \
             makes a new token",
        ),
        "missing_key" => Some("store an API key with `matchbook login`, or give one with --token"),
        "not_allowed" => Some("leave --seat away, or give that seat's token"),
        "seat_taken" => Some("`matchbook show MATCH` tells which seat is free"),
        "match_not_started" => Some("send the match's id to the other player, or `matchbook watch` it"),
        "match_over" => Some("`matchbook show MATCH` draws how it ended, `matchbook new` begins another"),
        "match_not_over" => Some("wait for the match's end: `matchbook watch MATCH`"),
        "not_your_turn" => Some("wait for the other seat: `matchbook watch MATCH`"),
        "illegal_move" => Some("`matchbook legal MATCH` lists the moves you can make"),
        "stale_position" => Some("look at the new position with `matchbook show MATCH`, then decide again"),
        "unknown_seq" => Some("`matchbook events MATCH` lists the positions there are"),
        "no_draw_offer" => Some("`matchbook draw MATCH` makes an offer of your own"),
        "draw_already_offered" => Some(
            "answer the other seat's offer with `matchbook draw MATCH accept` or `decline`; after your own make a move \
             first",
        ),
        "too_late_to_abort" => Some("`matchbook resign MATCH` gives the match up"),
        "not_forkable" => Some(
            "wait for the end of a match with secrets; else pick a position from `matchbook events MATCH` with --at SEQ",
        ),
        "seat_not_claimed" => Some("take the seat with `matchbook claim`"),
        "rate_limited" | "overloaded" | "too_many_streams" | "shutting_down" => Some("try again in a moment"),
        "outcome_unknown" => {
            Some("look with `matchbook show MATCH` whether it was done before you repeat it")
        }
        "internal" => Some("tell whoever runs the service; its log has the cause"),
        _ => None,
    }
}
