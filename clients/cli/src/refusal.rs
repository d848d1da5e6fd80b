//! The service's "no", decoded from a gRPC status with its details.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// A refusal as the service explained it. All texts are the service's and go
/// through `board::printable` before a person sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The gRPC code.
    pub code: Code,
    /// A word of the closed list, such as `not_your_turn`; absent if whoever
    /// answered is no Matchbook service.
    pub reason: Option<String>,
    /// One sentence for a person.
    pub message: String,
    /// Facts for programs, such as `paragraph`.
    pub metadata: BTreeMap<String, String>,
    /// Fields of the request that are at fault.
    pub fields: Vec<Field>,
    /// When to try again.
    pub retry_after: Option<Duration>,
}

/// A field of a request and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its path in the request, in proto spelling.
    pub path: String,
    /// What it must be.
    pub description: String,
}

impl Refusal {
    /// What this refusal is by its word.
    pub(crate) fn has_reason(&self, reason: &str) -> bool {
        self.reason.as_deref() == Some(reason)
    }
}

impl From<&Status> for Refusal {
    fn from(status: &Status) -> Self {
        let details = status.get_error_details();
        let info = details.error_info();
        let fields = details.bad_request().map_or_else(Vec::new, |bad| {
            let field = |violation: &tonic_types::FieldViolation| Field {
                path: violation.field.clone(),
                description: violation.description.clone(),
            };
            bad.field_violations.iter().map(field).collect()
        });
        Self {
            code: status.code(),
            reason: info.map(|info| info.reason.clone()),
            message: status.message().to_owned(),
            metadata: info.map_or_else(BTreeMap::new, |info| info.metadata.clone().into_iter().collect()),
            fields,
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&board::printable(&self.message))
    }
}

/// Whether a call failed in a way that passes, so that the same call may
/// succeed a little later.
pub(crate) fn is_transient(status: &Status) -> bool {
    match Refusal::from(status).reason.as_deref() {
        Some("overloaded" | "rate_limited" | "shutting_down" | "outcome_unknown" | "too_many_streams") => {
            true
        }
        Some(_) => false,
        None => is_lost_connection(status),
    }
}

/// Whether the network failed, not the service.
pub(crate) fn is_lost_connection(status: &Status) -> bool {
    // A status that came over the wire has no source; one made up by the
    // transport on this side has.
    status.get_error_details().error_info().is_none()
        && (status.code() == Code::Unavailable || status.source().is_some())
}

#[cfg(test)]
mod tests {
    use tonic_types::ErrorDetails;

    use super::*;

    fn refused(reason: &str) -> Status {
        let mut details =
            ErrorDetails::with_error_info(reason, "matchbook", [("paragraph".into(), "AD-4".into())]);
        details.add_bad_request_violation("notation", "must be row,col");
        details.set_retry_info(Some(Duration::from_secs(2)));
        Status::with_error_details(Code::Unavailable, "no", details)
    }

    #[test]
    fn all_details_are_read() {
        let refusal = Refusal::from(&refused("illegal_move"));
        assert!(refusal.has_reason("illegal_move"));
        assert_eq!(refusal.metadata["paragraph"], "AD-4");
        assert_eq!(refusal.fields[0].path, "notation");
        assert_eq!(refusal.retry_after, Some(Duration::from_secs(2)));
    }

    #[test]
    fn a_reason_decides_whether_it_passes_and_not_the_code() {
        assert!(is_transient(&refused("overloaded")));
        assert!(is_transient(&refused("outcome_unknown")));
        assert!(!is_transient(&refused("illegal_move")));
        assert!(is_transient(&Status::unavailable("connection refused")));
        assert!(!is_transient(&Status::internal("a bug")));
    }
}
