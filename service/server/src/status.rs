//! A refusal as a gRPC status with its details: ErrorInfo, BadRequest, RetryInfo. And back: the reason of a status.

use std::collections::HashMap;

use play::Refusal;
use tonic::Status;
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};
use wire::v1::ErrorReason;

use crate::errors;

/// Whose reasons these are, in `ErrorInfo`.
const DOMAIN: &str = "matchbook";

/// A status travels in HTTP headers, and peers take about 16 KiB of those.
const MAX_TEXT_CHARS: usize = 500;
const MAX_FIELDS: usize = 20;

/// The refusal for the wire.
pub(crate) fn of(refusal: &Refusal) -> Status {
    let metadata: HashMap<String, String> =
        refusal.metadata.iter().map(|(key, value)| ((*key).to_owned(), shortened(value))).collect();
    let mut details = ErrorDetails::with_error_info(refusal.reason_word(), DOMAIN, metadata);
    if !refusal.fields.is_empty() {
        details.set_bad_request(violations(refusal));
    }
    if let Some(wait) = refusal.retry_after {
        details.set_retry_info(Some(wait));
    }
    Status::with_error_details(errors::answer(refusal.reason).code, shortened(&refusal.message), details)
}

/// The reason that a status of ours carries; none for one that the gRPC library made.
pub(crate) fn reason(status: &Status) -> Option<ErrorReason> {
    let info = status.get_details_error_info()?;
    if info.domain == DOMAIN { errors::reason(&info.reason) } else { None }
}

fn violations(refusal: &Refusal) -> Vec<FieldViolation> {
    let fields = refusal.fields.iter().take(MAX_FIELDS);
    fields.map(|at| FieldViolation::new(shortened(&at.field), shortened(&at.description))).collect()
}

/// Texts may repeat what the caller sent; an answer must not become as large as that.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tonic::Code;

    use super::*;

    #[test]
    fn a_refusal_keeps_everything_on_the_wire() {
        let refusal = Refusal::field("options.angels_and_demons.rows", "must be 3 to 26")
            .with("paragraph", "AD-1")
            .retry_after(Duration::from_millis(250));
        let status = of(&refusal);
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(reason(&status), Some(ErrorReason::InvalidArgument));
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!((info.reason.as_str(), info.domain.as_str()), ("invalid_argument", "matchbook"));
        assert_eq!(info.metadata["paragraph"], "AD-1");
        let violation = &details.bad_request().unwrap().field_violations[0];
        assert_eq!(violation.field, "options.angels_and_demons.rows");
        assert_eq!(violation.description, "must be 3 to 26");
        assert_eq!(details.retry_info().unwrap().retry_delay, Some(Duration::from_millis(250)));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let status = of(&Refusal::new(ErrorReason::UnknownGame, "é".repeat(10_000)));
        assert_eq!(status.message(), format!("{}...", "é".repeat(MAX_TEXT_CHARS)));
    }

    #[test]
    fn a_status_of_the_library_has_no_reason() {
        assert_eq!(reason(&Status::unimplemented("no such method")), None);
    }
}
