//! A failure as text and as JSON.

use board::printable;
use matchbook_client::{FieldViolation, Refusal};
use serde_json::{Value, json};
use tonic::Code;

use super::advice::advice;
use crate::failure::Failure;

/// Returns the message, the details of a refusal, and advice.
pub(crate) fn failure_as_text(failure: &Failure) -> String {
    let mut text = format!("error: {failure}");
    if let Failure::Refused(refusal) = failure {
        text.push_str(&details(refusal));
    }
    text.push('\n');
    if let Some(advice) = advice(failure) {
        text.push_str(&format!("  next: {advice}\n"));
    }
    text
}

/// Returns the failure in one line, for a screen that shows one.
pub(crate) fn failure_line(failure: &Failure) -> String {
    match failure {
        Failure::Refused(refusal) => match refusal.metadata.get("paragraph") {
            Some(paragraph) => format!("{failure} ({})", printable(paragraph)),
            None => failure.to_string(),
        },
        _ => failure.to_string(),
    }
}

/// Returns the failure under the names that the REST API's errors have. There is no HTTP status.
pub(super) fn failure_as_json(failure: &Failure) -> Value {
    let mut error = json!({ "message": failure.to_string() });
    match failure {
        Failure::Refused(refusal) => {
            error["status"] = json!(code_name(refusal.code));
            error["reason"] = json!(refusal.reason);
            error["details"] = details_as_json(refusal);
        }
        Failure::Unreachable { .. } | Failure::Insecure { .. } => error["reason"] = json!("UNREACHABLE"),
        Failure::Usage(_) => error["reason"] = json!("USAGE"),
        Failure::Unreadable { .. } => error["reason"] = json!("UNREADABLE"),
        Failure::File { .. }
        | Failure::LogFile { .. }
        | Failure::StateFile { .. }
        | Failure::Input(_)
        | Failure::Terminal(_)
        | Failure::OutputClosed
        | Failure::Output(_) => error["reason"] = json!("LOCAL"),
    }
    if let Some(advice) = advice(failure) {
        error["advice"] = json!(advice);
    }
    json!({ "error": error })
}

fn details(refusal: &Refusal) -> String {
    let reason = refusal.reason.clone().unwrap_or_else(|| code_name(refusal.code));
    let mut text = format!(" ({})", printable(&reason));
    for (key, value) in &refusal.metadata {
        text.push_str(&format!("\n  {}: {}", printable(key), printable(value)));
    }
    for field in &refusal.fields {
        text.push_str(&format!("\n  field {}: {}", printable(&field.path), printable(&field.description)));
    }
    let says_so = refusal.message.contains("retry later") || refusal.message.contains("try again");
    if let Some(wait) = refusal.retry_after.filter(|_| !says_so) {
        text.push_str(&format!("\n  retry after {:.1} s", wait.as_secs_f64()));
    }
    text
}

fn details_as_json(refusal: &Refusal) -> Value {
    let field = |field: &FieldViolation| json!({ "field": field.path, "description": field.description });
    let retry_after_ms = refusal.retry_after.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    json!({
        "metadata": refusal.metadata,
        "fieldViolations": refusal.fields.iter().map(field).collect::<Vec<_>>(),
        "retryAfterMs": retry_after_ms,
    })
}

/// Returns the code in gRPC's own spelling, such as `FAILED_PRECONDITION`.
fn code_name(code: Code) -> String {
    let mut name = String::new();
    for c in format!("{code:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_uppercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;

    fn refused() -> Failure {
        Failure::Refused(Box::new(Refusal {
            code: Code::FailedPrecondition,
            reason: Some("ILLEGAL_MOVE".to_owned()),
            message: "no\u{1b}[2J".to_owned(),
            metadata: BTreeMap::from([("paragraph".to_owned(), "AD-4".to_owned())]),
            fields: Vec::new(),
            retry_after: None,
            call_id: None,
        }))
    }

    #[test]
    fn a_refusal_shows_all_details_and_no_control_characters() {
        assert_eq!(
            failure_as_text(&refused()),
            "error: no\u{FFFD}[2J (ILLEGAL_MOVE)\n  paragraph: AD-4\n  next: `matchbook legal MATCH` lists \
             the legal moves\n"
        );
    }

    #[test]
    fn the_advice_to_retry_is_given_once() {
        let Failure::Refused(refusal) = refused() else { unreachable!("it is refused") };
        let message = "the database is unreachable; retry later".to_owned();
        let (reason, retry_after) = (Some("OVERLOADED".to_owned()), Some(Duration::from_secs(1)));
        let refusal = Refusal { message, reason, retry_after, metadata: BTreeMap::new(), ..*refusal };
        let text = failure_as_text(&Failure::Refused(Box::new(refusal)));
        assert_eq!(text, "error: the database is unreachable; retry later (OVERLOADED)\n");
    }

    #[test]
    fn codes_have_the_spelling_of_grpc() {
        let json = failure_as_json(&refused());
        assert_eq!(json["error"]["status"], "FAILED_PRECONDITION");
        assert_eq!(code_name(Code::Ok), "OK");
    }
}
