//! Why a call has no response.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use wire::v1::ErrorReason;

use crate::refusal::Refusal;
use crate::tls_failure::TlsFailure;

/// Why a call has no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The service refused the call.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// No answer arrived. A change may have taken effect nevertheless.
    #[error("cannot reach the service at {server}: {cause}")]
    Unreachable {
        /// The service's address.
        server: String,
        /// The innermost error of the transport.
        cause: String,
    },
    /// TLS failed: the server's certificate is not trusted, or it does not speak TLS. Nothing was sent.
    #[error("cannot reach the service at {server}: {cause}")]
    Insecure {
        /// The service's address.
        server: String,
        /// Why TLS failed.
        cause: TlsFailure,
    },
}

impl Error {
    pub(crate) fn from_status(status: &Status, server: &str) -> Self {
        if let Some(cause) = tls_failure(status) {
            Self::Insecure { server: server.to_owned(), cause }
        } else if is_lost_connection(status) {
            Self::Unreachable { server: server.to_owned(), cause: lost_connection(status) }
        } else {
            Self::Refused(Box::new(Refusal::from(status)))
        }
    }

    /// Returns the error for an answer that no version of the service sends.
    pub(crate) fn unexpected(message: &str) -> Self {
        Self::Refused(Box::new(Refusal::from(&Status::internal(message))))
    }

    /// Returns whether the service refused the call for this reason.
    pub fn is(&self, reason: ErrorReason) -> bool {
        self.refusal().is_some_and(|refusal| refusal.is(reason))
    }

    /// Returns whether the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.is_transient(),
            Self::Unreachable { .. } => true,
            Self::Insecure { .. } => false,
        }
    }

    /// Returns the refusal, if the service answered.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Unreachable { .. } | Self::Insecure { .. } => None,
        }
    }

    /// Returns how long the service asks callers to wait before they retry.
    pub fn retry_after(&self) -> Option<Duration> {
        self.refusal().and_then(|refusal| refusal.retry_after)
    }
}

/// Returns whether the network failed, not the service.
fn is_lost_connection(status: &Status) -> bool {
    // A status that came over the wire has no source; one that the transport made up on this side has. The
    // service never answers UNKNOWN: it stands for an answer without a status, as a proxy ends one whose
    // replica is gone.
    status.get_error_details().error_info().is_none()
        && (matches!(status.code(), Code::Unavailable | Code::Unknown) || status.source().is_some())
}

fn lost_connection(status: &Status) -> String {
    match status.source() {
        Some(_) => root_cause(status),
        None => status.message().to_owned(),
    }
}

/// Returns why TLS failed, if it did.
pub(crate) fn tls_failure(error: &(dyn StdError + 'static)) -> Option<TlsFailure> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        // An error of the system names as its source that of the error it wraps, and so hides the latter.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(failed) = wrapped.and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return Some(failed.into());
        }
        cause = error.source();
    }
    None
}

/// Returns the innermost message: the outer ones only say "transport error".
pub(crate) fn root_cause(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use tonic_types::ErrorDetails;

    use super::*;

    fn error(status: &Status) -> Error {
        Error::from_status(status, "http://127.0.0.1:7420")
    }

    fn refused(reason: &str) -> Error {
        let details = ErrorDetails::with_error_info(reason, "matchbook.v1", []);
        error(&Status::with_error_details(Code::Unavailable, "no", details))
    }

    #[test]
    fn the_reason_decides_whether_a_failure_is_transient_and_not_the_code() {
        for reason in ["OVERLOADED", "RATE_LIMITED", "TOO_MANY_STREAMS", "SHUTTING_DOWN", "OUTCOME_UNKNOWN"] {
            assert!(refused(reason).is_transient(), "{reason}");
        }
        for reason in ["ILLEGAL_MOVE", "INTERNAL", "A_REASON_OF_A_LATER_VERSION"] {
            assert!(!refused(reason).is_transient(), "{reason}");
        }
        assert!(error(&Status::unavailable("connection refused")).is_transient());
        assert!(!error(&Status::internal("a bug")).is_transient());
    }

    #[test]
    fn a_failure_without_an_answer_names_the_server() {
        let lost = error(&Status::unavailable("connection refused"));
        assert!(matches!(&lost, Error::Unreachable { server, .. } if server == "http://127.0.0.1:7420"));
        assert!(lost.refusal().is_none());
        assert!(refused("OVERLOADED").refusal().is_some());
    }
}
