//! What a person can do about a failure: one sentence per reason.

use std::io::ErrorKind;

use matchbook_client::{Refusal, TlsFailure};
use wire::v1::ErrorReason as Reason;

use crate::failure::Failure;

/// Returns what to do next, if something helps.
pub(crate) fn advice(failure: &Failure) -> Option<&'static str> {
    match failure {
        Failure::Refused(refusal) => on_refusal(refusal),
        Failure::Unreachable { server, cause } => Some(on_unreachable(server, cause)),
        Failure::Insecure { cause, .. } => Some(on_insecure(cause)),
        Failure::StateFile { .. } => Some(
            "move the file away; pass its seats' tokens with --token, store API keys with `matchbook login`",
        ),
        Failure::File { .. } => Some("set MATCHBOOK_STATE to a writable folder"),
        Failure::Unreadable { .. } => Some("export the log again with `matchbook export`"),
        Failure::LogFile { source, .. } if source.kind() == ErrorKind::NotFound => {
            Some("check the path: there is no such file or folder")
        }
        Failure::LogFile { .. } => Some("check the path and its permissions"),
        Failure::Terminal(_) => Some("play line by line with --plain"),
        Failure::Usage(_) | Failure::Input(_) | Failure::OutputClosed | Failure::Output(_) => None,
    }
}

/// Reads the transport's words, since its errors have no types.
fn on_unreachable(server: &str, cause: &str) -> &'static str {
    const PLAINTEXT_TO_TLS: [&str; 3] = ["frame with invalid size", "broken pipe", "connection closed"];
    let plaintext = server.starts_with("http://");
    if plaintext && PLAINTEXT_TO_TLS.iter().any(|words| cause.contains(words)) {
        "if the service has a certificate, begin the address with https://"
    } else {
        "start the service with `matchbookd serve`, or name another one with --server URL"
    }
}

fn on_insecure(cause: &TlsFailure) -> &'static str {
    match cause {
        TlsFailure::Untrusted => {
            "if you trust this service, pass its certificate, or the one that signed it, with --ca-cert PATH"
        }
        TlsFailure::SigningCertificate => {
            "its operator can make another one with `openssl req -x509 -addext \
             basicConstraints=critical,CA:FALSE`"
        }
        TlsFailure::Expired => {
            "check this machine's clock; if it is right, the operator must renew the certificate"
        }
        TlsFailure::NotYetValid => "check this machine's clock, or wait until the certificate is valid",
        TlsFailure::OtherName { .. } => {
            "check --server: the address must have one of the certificate's names"
        }
        TlsFailure::Plaintext => "begin the address with http:// instead of https://",
        _ => "ask the operator of the service to check its certificate",
    }
}

fn on_refusal(refusal: &Refusal) -> Option<&'static str> {
    match refusal.known_reason()? {
        Reason::UnknownGame => Some("`matchbook games` lists the games"),
        Reason::UnknownRulesVersion => {
            Some("the match needs a newer build of the service; try again once it is upgraded")
        }
        Reason::UnknownMatch => Some(
            "check the match's id and --server; only its seats (--seat, --token) and its owner (`matchbook \
             login`) see a private match",
        ),
        Reason::ExternalIdTaken => Some("use the match that has it, or choose another --external-id"),
        Reason::MissingToken | Reason::NotAllowed if refusal.metadata.contains_key("rematch_of") => Some(
            "`matchbook rematch MATCH`, with the id of the match before, claims your seat in its rematch",
        ),
        Reason::MissingToken => Some("claim a seat with `matchbook claim`, or pass --token"),
        Reason::BadToken if refusal.metadata.get("credential").is_some_and(|sent| sent == "api_key") => Some(
            "check --server; ask the operator of the service for an API key and store it with `matchbook \
             login`, or remove a stored one with `matchbook logout`",
        ),
        Reason::BadToken => {
            Some("pass the newest token of a seat of this match; `matchbook rotate` replaces a token")
        }
        Reason::MissingKey => Some(
            "ask the operator of the service for an API key; store it with `matchbook login`, or pass it \
             with --token",
        ),
        Reason::NotAllowed if refusal.metadata.get("needs").is_some_and(|needs| needs == "owner_api_key") => {
            Some("use the API key that owns the match: `matchbook login`, or --token")
        }
        Reason::NotAllowed if refusal.metadata.contains_key("roles") => {
            Some("use an API key with another role: `matchbook login`, or --token")
        }
        Reason::NotAllowed => Some("omit --seat, or pass that seat's token"),
        Reason::SeatTaken => Some("`matchbook show MATCH` shows which seat is free"),
        Reason::MatchNotStarted => Some("send the match's id to the other player, or `matchbook watch` it"),
        Reason::MatchOver => {
            Some("`matchbook show MATCH` shows how it ended, `matchbook new` creates another")
        }
        Reason::MatchNotOver => Some("wait until the match is over: `matchbook watch MATCH`"),
        Reason::NotYourTurn => Some("wait for the other seat: `matchbook watch MATCH`"),
        Reason::IllegalMove => Some("`matchbook legal MATCH` lists the legal moves"),
        Reason::StalePosition => {
            Some("check the new position with `matchbook show MATCH`, then decide again")
        }
        Reason::HistoryChanged => Some("`matchbook watch MATCH --after 0` shows what the service has now"),
        Reason::UnknownSeq => Some("`matchbook events MATCH` lists the positions"),
        Reason::NoProposal => {
            Some("`matchbook draw MATCH` offers a draw, `matchbook takeback MATCH` asks for a takeback")
        }
        Reason::AlreadyProposed => Some(
            "answer the other seat with `matchbook draw MATCH accept`, `matchbook takeback MATCH accept` or \
             `decline`; make a move before you propose again",
        ),
        Reason::TakebackForbidden | Reason::NothingToTakeBack => {
            Some("`matchbook fork MATCH --at SEQ` plays on from an earlier position in a new match")
        }
        Reason::TooLateToAbort => Some("`matchbook resign MATCH` resigns the match"),
        Reason::NotForkable => Some(
            "wait until a match with hidden information is over; otherwise pick a position of `matchbook \
             events MATCH` with --at SEQ",
        ),
        Reason::SeatNotClaimed => Some("claim the seat with `matchbook claim`"),
        Reason::OutcomeUnknown => {
            Some("check with `matchbook show MATCH` whether it took effect before you repeat it")
        }
        Reason::UnknownWebhook => Some("`matchbook webhook list` lists your webhooks"),
        Reason::TooManyWebhooks => Some("`matchbook webhook delete WEBHOOK` makes room for another"),
        Reason::Internal => Some("tell the operator of the service; its log has the cause"),
        // Among others: the messages of limits and overload say when to retry.
        _ => None,
    }
}
