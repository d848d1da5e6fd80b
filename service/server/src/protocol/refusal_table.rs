//! The table of refusals by reason: gRPC code, HTTP status and log level. The protos say which are worth a
//! retry. A test writes the table in `docs/api.md` from both.

use tonic::Code;
use tracing::Level;
use wire::v1::ErrorReason;

/// How a refusal with a given reason is sent and logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorMapping {
    /// The gRPC status code.
    pub code: Code,
    /// The HTTP status over REST.
    pub http: u16,
    /// The log level: `DEBUG` for callers' mistakes, higher for what concerns the operator.
    pub level: Level,
}

/// Returns the mapping of a reason. The match has no catch-all, so that the compiler asks for every new
/// reason.
pub fn error_mapping(reason: ErrorReason) -> ErrorMapping {
    use ErrorReason as R;
    let (code, http, level) = match reason {
        R::InvalidArgument | R::IllegalChoice => (Code::InvalidArgument, 400, Level::DEBUG),
        R::UnknownGame | R::UnknownMatch | R::UnknownWebhook | R::UnknownRoute => {
            (Code::NotFound, 404, Level::DEBUG)
        }
        R::MissingToken | R::MissingKey => (Code::Unauthenticated, 401, Level::DEBUG),
        R::BadToken => (Code::Unauthenticated, 401, Level::INFO),
        R::NotAllowed => (Code::PermissionDenied, 403, Level::INFO),
        R::SeatTaken | R::RequestIdReused | R::ExternalIdTaken => (Code::AlreadyExists, 409, Level::DEBUG),
        R::MatchNotStarted
        | R::MatchOver
        | R::MatchNotOver
        | R::NotYourTurn
        | R::NoProposal
        | R::AlreadyProposed
        | R::TakebackForbidden
        | R::NothingToTakeBack
        | R::TooLateToAbort
        | R::NotForkable
        | R::TooManyRotations
        | R::SeatNotClaimed
        | R::TooManyWebhooks => (Code::FailedPrecondition, 409, Level::DEBUG),
        // The move is well-formed, but illegal in this position.
        R::IllegalMove => (Code::FailedPrecondition, 422, Level::DEBUG),
        R::StalePosition => (Code::Aborted, 409, Level::DEBUG),
        // The same call would go on from events that are gone. The caller starts again from the first one.
        R::HistoryChanged => (Code::DataLoss, 409, Level::WARN),
        R::UnknownSeq => (Code::OutOfRange, 404, Level::DEBUG),
        // The match is unharmed: a build that has the rules serves it, or a service with the archive. A retry
        // at this one would not help.
        R::UnknownRulesVersion | R::MatchArchived => (Code::Unimplemented, 501, Level::WARN),
        // The caller goes on from the cursor that the refusal names.
        R::CursorTooOld => (Code::OutOfRange, 410, Level::DEBUG),
        // How the operator configured it.
        R::WebhooksOff => (Code::Unimplemented, 501, Level::DEBUG),
        R::MethodNotAllowed => (Code::Unimplemented, 405, Level::DEBUG),
        R::NotAcceptable => (Code::InvalidArgument, 406, Level::DEBUG),
        R::UnsupportedMediaType => (Code::InvalidArgument, 415, Level::DEBUG),
        // Not RESOURCE_EXHAUSTED: the caller has not used up anything of its own.
        R::Overloaded => (Code::Unavailable, 503, Level::WARN),
        R::TooManyStreams => (Code::ResourceExhausted, 429, Level::WARN),
        // A caller's own problem, not the operator's.
        R::RateLimited => (Code::ResourceExhausted, 429, Level::DEBUG),
        // gRPC: "may be returned even if the operation has completed successfully". Client libraries don't
        // retry it automatically, which without a `request_id` could apply a write twice.
        R::OutcomeUnknown => (Code::DeadlineExceeded, 504, Level::WARN),
        R::MessageTooLarge => (Code::ResourceExhausted, 413, Level::DEBUG),
        R::ShuttingDown => (Code::Unavailable, 503, Level::DEBUG),
        // A refusal without a reason would be a bug of the service.
        R::Internal | R::Unspecified => (Code::Internal, 500, Level::ERROR),
    };
    ErrorMapping { code, http, level }
}

/// Parses the name that `play::reason_name` returns for a reason.
pub(crate) fn parse_reason(name: &str) -> Option<ErrorReason> {
    ErrorReason::from_str_name(&format!("ERROR_REASON_{name}"))
}

/// Returns every reason in the order of the proto, without `UNSPECIFIED`.
pub fn error_reasons() -> impl Iterator<Item = ErrorReason> {
    // Numbers of removed reasons stay reserved.
    (1..100).filter_map(|number| ErrorReason::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use play::reason_name;

    use super::*;

    #[test]
    fn every_name_parses_to_its_reason() {
        for reason in error_reasons() {
            assert_eq!(parse_reason(reason_name(reason)), Some(reason));
        }
        let declared = wire::DESCRIPTORS.get_enum_by_name("matchbook.v1.ErrorReason").unwrap();
        assert_eq!(error_reasons().count() + 1, declared.values().len(), "only UNSPECIFIED is left out");
    }
}
