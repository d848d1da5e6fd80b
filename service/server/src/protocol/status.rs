//! Converts a refusal to a gRPC status with details (ErrorInfo, BadRequest, RetryInfo), and reads the reason
//! of a status.

use std::collections::HashMap;

use play::Refusal;
use tonic::Status;
use tonic_types::{BadRequest, ErrorInfo, FieldViolation, RetryInfo, StatusExt};
use wire::v1::ErrorReason;

use super::refusal_table::{error_mapping, parse_reason};

/// The domain of our reasons in `ErrorInfo`: the proto package that declares them.
const DOMAIN: &str = "matchbook.v1";

/// Bounds a text and the number of fields: a status travels in HTTP headers, of which peers accept about 16
/// KiB.
const MAX_TEXT_CHARS: usize = 500;
const MAX_FIELDS: usize = 20;

/// Converts a refusal to a status.
pub(crate) fn to_status(refusal: &Refusal) -> Status {
    let metadata: HashMap<String, String> =
        refusal.metadata.iter().map(|(key, value)| ((*key).to_owned(), truncate(value))).collect();
    // In the order that the documentation promises.
    let mut details = vec![ErrorInfo::new(refusal.reason_name(), DOMAIN, metadata).into()];
    if !refusal.fields.is_empty() {
        details.push(BadRequest::new(violations(refusal)).into());
    }
    if refusal.retry_after.is_some() {
        details.push(RetryInfo::new(refusal.retry_after).into());
    }
    Status::with_error_details_vec(error_mapping(refusal.reason).code, truncate(&refusal.message), details)
}

/// Returns the reason of a status, or `None` if the gRPC library created the status.
pub(crate) fn reason_of(status: &Status) -> Option<ErrorReason> {
    let info = status.get_details_error_info()?;
    if info.domain == DOMAIN { parse_reason(&info.reason) } else { None }
}

fn violations(refusal: &Refusal) -> Vec<FieldViolation> {
    let fields = refusal.fields.iter().take(MAX_FIELDS);
    fields.map(|field| FieldViolation::new(truncate(&field.field), truncate(&field.description))).collect()
}

/// Truncates a text, which may repeat arbitrarily long input.
fn truncate(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tonic::Code;
    use tonic_types::ErrorDetail;

    use super::*;

    #[test]
    fn a_status_carries_all_details_of_a_refusal() {
        let refusal = Refusal::field("options.angels_and_demons.rows", "must be 3 to 26")
            .with("paragraph", "AD-1")
            .retry_after(Duration::from_millis(250));
        let status = to_status(&refusal);
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(reason_of(&status), Some(ErrorReason::InvalidArgument));
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!((info.reason.as_str(), info.domain.as_str()), ("INVALID_ARGUMENT", "matchbook.v1"));
        assert_eq!(info.metadata["paragraph"], "AD-1");
        let violation = &details.bad_request().unwrap().field_violations[0];
        assert_eq!(violation.field, "options.angels_and_demons.rows");
        assert_eq!(violation.description, "must be 3 to 26");
        assert_eq!(details.retry_info().unwrap().retry_delay, Some(Duration::from_millis(250)));
        // The order is documented.
        let details = status.get_error_details_vec();
        let [ErrorDetail::ErrorInfo(_), ErrorDetail::BadRequest(_), ErrorDetail::RetryInfo(_)] = details[..]
        else {
            panic!("{details:?}")
        };
    }

    #[test]
    fn a_long_text_is_truncated_between_characters() {
        let status = to_status(&Refusal::new(ErrorReason::UnknownGame, "é".repeat(10_000)));
        assert_eq!(status.message(), format!("{}...", "é".repeat(MAX_TEXT_CHARS)));
    }

    #[test]
    fn a_status_from_the_grpc_library_has_no_reason() {
        assert_eq!(reason_of(&Status::unimplemented("no such method")), None);
    }
}
