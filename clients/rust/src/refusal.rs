//! A refusal by the service, decoded from a gRPC status and its details.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use wire::v1::{ErrorReason, Retry};

/// Metadata of each answer: names the call.
const CALL_ID: &str = "matchbook-call-id";

/// A refusal as the service explained it.
///
/// The texts are the service's: escape control characters before showing them on a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The gRPC code; `Unknown` on a [`MoveStream`](crate::MoveStream), where no call failed.
    pub code: Code,
    /// The reason as sent, such as `NOT_YOUR_TURN`. `None` if a proxy or library answered instead of the
    /// service.
    pub reason: Option<String>,
    /// One sentence for a person.
    pub message: String,
    /// Facts for programs by name, such as `paragraph` or `actual_seq`.
    pub metadata: BTreeMap<String, String>,
    /// Fields of the request that are invalid.
    pub fields: Vec<FieldViolation>,
    /// How long to wait before a retry.
    pub retry_after: Option<Duration>,
    /// Finds the call in the service's log. `None` if the answer names no call.
    pub call_id: Option<String>,
}

/// An invalid field of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldViolation {
    /// Path of the field in the request, in proto spelling.
    pub path: String,
    /// What the value must be.
    pub description: String,
}

impl Refusal {
    /// Returns the reason, unless it is absent or newer than this build.
    pub fn known_reason(&self) -> Option<ErrorReason> {
        ErrorReason::from_str_name(&format!("ERROR_REASON_{}", self.reason.as_deref()?))
    }

    /// Returns whether the call was refused for this reason.
    pub fn is(&self, reason: ErrorReason) -> bool {
        self.known_reason() == Some(reason)
    }

    /// Returns the paragraph of the rules that forbids the move, such as `AD-4`.
    pub fn paragraph(&self) -> Option<&str> {
        self.metadata.get("paragraph").map(String::as_str)
    }

    /// Returns the newest seq of the match, where the refusal names it.
    pub fn actual_seq(&self) -> Option<u32> {
        self.metadata.get("actual_seq")?.parse().ok()
    }

    /// Returns whether the same call may succeed later. For `OUTCOME_UNKNOWN` it may also have taken effect.
    pub fn is_transient(&self) -> bool {
        // A reason newer than this build passes if the service says when to retry.
        match self.known_reason().map_or(Retry::WithRetryInfo, wire::retry) {
            Retry::Yes => true,
            Retry::WithRetryInfo => self.retry_after.is_some(),
            Retry::Unspecified => false,
        }
    }
}

impl From<&Status> for Refusal {
    fn from(status: &Status) -> Self {
        let details = status.get_error_details();
        let info = details.error_info();
        let fields = details.bad_request().map_or_else(Vec::new, |bad| {
            let field = |violation: &tonic_types::FieldViolation| FieldViolation {
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
            call_id: status.metadata().get(CALL_ID).and_then(|id| id.to_str().ok()).map(str::to_owned),
        }
    }
}

impl From<wire::v1::Refusal> for Refusal {
    fn from(refusal: wire::v1::Refusal) -> Self {
        let mut metadata: BTreeMap<String, String> = refusal.metadata.into_iter().collect();
        if !refusal.paragraph.is_empty() {
            metadata.insert("paragraph".to_owned(), refusal.paragraph);
        }
        let field = |violation: wire::v1::FieldViolation| FieldViolation {
            path: violation.field,
            description: violation.description,
        };
        Self {
            code: Code::Unknown,
            reason: Some(refusal.reason),
            message: refusal.message,
            metadata,
            fields: refusal.fields.into_iter().map(field).collect(),
            retry_after: refusal.retry_delay.and_then(|wait| wait.try_into().ok()),
            call_id: None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use tonic::metadata::MetadataValue;
    use tonic_types::ErrorDetails;

    use super::*;

    #[test]
    fn all_details_are_decoded() {
        let metadata = [("paragraph".into(), "AD-4".into()), ("actual_seq".into(), "7".into())];
        let mut details = ErrorDetails::with_error_info("ILLEGAL_MOVE", "matchbook.v1", metadata);
        details.add_bad_request_violation("notation", "must be row,col");
        details.set_retry_info(Some(Duration::from_secs(2)));
        let mut status = Status::with_error_details(Code::FailedPrecondition, "no", details);
        status.metadata_mut().insert(CALL_ID, MetadataValue::from_static("01aa"));
        let refusal = Refusal::from(&status);
        assert_eq!(refusal.call_id.as_deref(), Some("01aa"));
        assert!(refusal.is(ErrorReason::IllegalMove));
        assert_eq!(refusal.paragraph(), Some("AD-4"));
        assert_eq!(refusal.actual_seq(), Some(7));
        assert_eq!(refusal.fields[0].path, "notation");
        assert_eq!(refusal.retry_after, Some(Duration::from_secs(2)));
    }

    #[test]
    fn an_unknown_reason_is_kept_as_sent() {
        let details = ErrorDetails::with_error_info("A_LATER_REASON", "matchbook.v1", []);
        let refusal = Refusal::from(&Status::with_error_details(Code::Aborted, "no", details));
        assert_eq!(refusal.reason.as_deref(), Some("A_LATER_REASON"));
        assert_eq!(refusal.known_reason(), None);
        assert!(!refusal.is_transient());
    }

    #[test]
    fn an_unknown_reason_is_retried_if_the_service_says_when() {
        let mut details = ErrorDetails::with_error_info("A_LATER_REASON", "matchbook.v1", []);
        details.set_retry_info(Some(Duration::from_secs(1)));
        assert!(Refusal::from(&Status::with_error_details(Code::Aborted, "no", details)).is_transient());
    }
}
