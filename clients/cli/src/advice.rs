//! What a person can do about a refusal or a failure: one sentence a reason.

use matchbook_client::Refusal;
use wire::v1::ErrorReason as Reason;

use crate::failure::Failure;

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
    match refusal.known_reason()? {
        Reason::UnknownGame => Some("`matchbook games` lists the games"),
        Reason::UnknownMatch => Some(
            "check the match's id and --server; a private match is shown to its seats (--seat, --token) and to its \
             owner (`matchbook login`)",
        ),
        Reason::MissingToken => Some("take a seat with `matchbook claim`, or give --token"),
        Reason::BadToken => Some(
            "give the newest token of a seat of this match, or log in anew with `matchbook login`; `matchbook rotate` \
             makes a new token",
        ),
        Reason::MissingKey => Some("store an API key with `matchbook login`, or give one with --token"),
        Reason::NotAllowed => Some("leave --seat away, or give that seat's token"),
        Reason::SeatTaken => Some("`matchbook show MATCH` tells which seat is free"),
        Reason::MatchNotStarted => Some("send the match's id to the other player, or `matchbook watch` it"),
        Reason::MatchOver => {
            Some("`matchbook show MATCH` draws how it ended, `matchbook new` begins another")
        }
        Reason::MatchNotOver => Some("wait for the match's end: `matchbook watch MATCH`"),
        Reason::NotYourTurn => Some("wait for the other seat: `matchbook watch MATCH`"),
        Reason::IllegalMove => Some("`matchbook legal MATCH` lists the moves you can make"),
        Reason::StalePosition => {
            Some("look at the new position with `matchbook show MATCH`, then decide again")
        }
        Reason::UnknownSeq => Some("`matchbook events MATCH` lists the positions there are"),
        Reason::NoDrawOffer => Some("`matchbook draw MATCH` makes an offer of your own"),
        Reason::DrawAlreadyOffered => Some(
            "answer the other seat's offer with `matchbook draw MATCH accept` or `decline`; after your own make a move \
             first",
        ),
        Reason::TooLateToAbort => Some("`matchbook resign MATCH` gives the match up"),
        Reason::NotForkable => Some(
            "wait for the end of a match with secrets; else pick a position from `matchbook events MATCH` with --at SEQ",
        ),
        Reason::SeatNotClaimed => Some("take the seat with `matchbook claim`"),
        Reason::RateLimited | Reason::Overloaded | Reason::TooManyStreams | Reason::ShuttingDown => {
            Some("try again in a moment")
        }
        Reason::OutcomeUnknown => {
            Some("look with `matchbook show MATCH` whether it was done before you repeat it")
        }
        Reason::Internal => Some("tell whoever runs the service; its log has the cause"),
        _ => None,
    }
}
