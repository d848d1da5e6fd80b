//! The one table of refusals: reason -> gRPC code, HTTP status, log level. `docs/api.md` shows the same table,
//! and a test compares the two.

use tonic::Code;
use tracing::Level;
use wire::v1::ErrorReason;

/// How a refusal looks from outside, and how loudly it is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The gRPC status code.
    pub code: Code,
    /// The HTTP status of the same answer over REST.
    pub http: u16,
    /// Callers' mistakes are for debugging, an operator's business is louder.
    pub level: Level,
}

/// The answer to a reason. Without a catch-all, so that a new reason has to be placed here.
pub fn answer(reason: ErrorReason) -> Answer {
    use ErrorReason as R;
    let (code, http, level) = match reason {
        R::InvalidArgument | R::IllegalChoice => (Code::InvalidArgument, 400, Level::DEBUG),
        R::UnknownGame | R::UnknownMatch | R::UnknownRoute => (Code::NotFound, 404, Level::DEBUG),
        R::MissingToken | R::MissingKey => (Code::Unauthenticated, 401, Level::DEBUG),
        R::BadToken => (Code::Unauthenticated, 401, Level::INFO),
        R::NotAllowed => (Code::PermissionDenied, 403, Level::INFO),
        R::SeatTaken | R::RequestIdReused => (Code::AlreadyExists, 409, Level::DEBUG),
        R::MatchNotStarted
        | R::MatchOver
        | R::MatchNotOver
        | R::NotYourTurn
        | R::NoDrawOffer
        | R::DrawAlreadyOffered
        | R::TooLateToAbort
        | R::NotForkable
        | R::SeatNotClaimed => (Code::FailedPrecondition, 409, Level::DEBUG),
        // What was asked is understood and the rules forbid it, here and now.
        R::IllegalMove => (Code::FailedPrecondition, 422, Level::DEBUG),
        R::StalePosition => (Code::Aborted, 409, Level::DEBUG),
        R::UnknownSeq => (Code::OutOfRange, 404, Level::DEBUG),
        R::MethodNotAllowed => (Code::Unimplemented, 405, Level::DEBUG),
        R::NotAcceptable => (Code::InvalidArgument, 406, Level::DEBUG),
        R::UnsupportedMediaType => (Code::InvalidArgument, 415, Level::DEBUG),
        R::Overloaded => (Code::ResourceExhausted, 503, Level::WARN),
        R::TooManyStreams => (Code::ResourceExhausted, 429, Level::WARN),
        // One caller's haste is no business of the operator's.
        R::RateLimited => (Code::ResourceExhausted, 429, Level::DEBUG),
        // gRPC: "may be returned even if the operation has completed successfully"; client libraries don't
        // repeat it on their own, which without a `request_id` could move twice.
        R::OutcomeUnknown => (Code::DeadlineExceeded, 504, Level::WARN),
        R::MessageTooLarge => (Code::ResourceExhausted, 413, Level::DEBUG),
        R::ShuttingDown => (Code::Unavailable, 503, Level::DEBUG),
        // Nobody sends a refusal without a reason; if somebody did, it would be our fault.
        R::Internal | R::Unspecified => (Code::Internal, 500, Level::ERROR),
    };
    Answer { code, http, level }
}

/// The reason that a word names: the other way of `play::reason_word`.
pub(crate) fn reason(word: &str) -> Option<ErrorReason> {
    ErrorReason::from_str_name(&format!("ERROR_REASON_{}", word.to_ascii_uppercase()))
}

/// Every reason that can be sent, in the order of the proto.
pub fn reasons() -> impl Iterator<Item = ErrorReason> {
    // Numbers of which there is no reason any more stay free.
    (1..100).filter_map(|number| ErrorReason::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use play::reason_word;

    use super::*;

    #[test]
    fn words_name_their_reasons() {
        for each in reasons() {
            assert_eq!(reason(&reason_word(each)), Some(each));
        }
        let word = wire::DESCRIPTORS.get_enum_by_name("matchbook.v1.ErrorReason").unwrap();
        assert_eq!(reasons().count() + 1, word.values().len(), "only the unspecified one is left out");
    }
}
