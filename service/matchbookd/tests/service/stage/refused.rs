//! A refusal as clients of any language see it: the status code and the error details.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

use play::reason_name;
use server::error_reasons;
use tonic::{Code, Status};
use tonic_types::StatusExt;
use wire::v1::Retry;

/// The code, message and details of a refused call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refused {
    pub(crate) code: Code,
    pub(crate) reason: String,
    pub(crate) text: String,
    pub(crate) metadata: HashMap<String, String>,
    pub(crate) fields: Vec<String>,
    pub(crate) retry_after: Option<Duration>,
}

/// Parses a refusal; panics if the call succeeded, or if the status lacks our error details.
#[track_caller]
pub(crate) fn refused<T>(outcome: Result<T, Status>) -> Refused {
    let status = outcome.err().expect("a refusal");
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
    assert_eq!(info.domain, "matchbook.v1");
    assert!(!status.message().is_empty());
    assert_retry_info(&info.reason, details.retry_info().is_some());
    let violations = details.bad_request().map(|bad| bad.field_violations.as_slice()).unwrap_or_default();
    Refused {
        code: status.code(),
        reason: info.reason.clone(),
        text: status.message().to_owned(),
        metadata: info.metadata.clone(),
        fields: violations.iter().map(|violation| violation.field.clone()).collect(),
        retry_after: details.retry_info().and_then(|info| info.retry_delay),
    }
}

/// Returns a refusal's message over gRPC as REST spells it: `match_id` is `matchId`.
pub(crate) fn json_spelling(message: &str) -> String {
    message.split_inclusive(|c: char| !c.is_ascii_lowercase() && c != '_').map(in_camel_case).collect()
}

/// Returns a word of which each letter after `_` is a capital.
fn in_camel_case(word: &str) -> String {
    let mut parts = word.split('_');
    let first = parts.next().unwrap_or_default();
    let capitals = parts.map(|part| part[..1].to_uppercase() + &part[1..]);
    first.chars().map(String::from).chain(capitals).collect()
}

/// Asserts that a refusal says when to retry exactly if its reason passes by itself.
#[track_caller]
pub(super) fn assert_retry_info(reason: &str, present: bool) {
    let known = error_reasons().find(|known| reason_name(*known) == reason);
    match wire::retry(known.unwrap_or_else(|| panic!("unknown reason {reason}"))) {
        Retry::Unspecified => assert!(!present, "{reason} has RetryInfo"),
        Retry::Yes => assert!(present, "{reason} has no RetryInfo"),
        Retry::WithRetryInfo => {}
    }
}

impl Refused {
    /// Asserts the reason, the code and a part of the message; returns `self` for further assertions.
    #[track_caller]
    pub(crate) fn is(self, reason: &str, code: Code, piece: &str) -> Self {
        assert_eq!((self.reason.as_str(), self.code), (reason, code), "{self:?}");
        assert!(self.text.contains(piece), "`{piece}` is not in `{}`", self.text);
        self
    }

    /// Asserts that exactly this field is at fault.
    #[track_caller]
    pub(crate) fn at(self, field: &str) -> Self {
        assert_eq!(self.fields, [field], "{self:?}");
        self
    }

    /// Asserts an entry of the error's metadata.
    #[track_caller]
    pub(crate) fn has(self, key: &str, value: impl Display) -> Self {
        assert_eq!(self.metadata.get(key), Some(&format!("{value}")), "{self:?}");
        self
    }
}
