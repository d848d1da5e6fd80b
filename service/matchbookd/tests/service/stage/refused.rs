//! A refusal as a client of any language finds it.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt;

/// What a refused call carries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refused {
    pub(crate) code: Code,
    pub(crate) reason: String,
    pub(crate) text: String,
    pub(crate) metadata: HashMap<String, String>,
    pub(crate) fields: Vec<String>,
    pub(crate) retry_after: Option<Duration>,
}

/// Takes the refusal apart; panics if the call went well, or if the status is not one of ours.
#[track_caller]
pub(crate) fn refused<T>(outcome: Result<T, Status>) -> Refused {
    let status = outcome.err().expect("a refusal");
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
    assert_eq!(info.domain, "matchbook");
    assert!(!status.message().is_empty());
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

impl Refused {
    /// Compares the reason and the code, and looks for a piece of the sentence; gives itself back for more.
    #[track_caller]
    pub(crate) fn is(self, reason: &str, code: Code, piece: &str) -> Self {
        assert_eq!((self.reason.as_str(), self.code), (reason, code), "{self:?}");
        assert!(self.text.contains(piece), "`{piece}` is not in `{}`", self.text);
        self
    }

    /// Compares the fields at fault.
    #[track_caller]
    pub(crate) fn at(self, field: &str) -> Self {
        assert_eq!(self.fields, [field], "{self:?}");
        self
    }

    /// Compares a fact for programs.
    #[track_caller]
    pub(crate) fn has(self, key: &str, value: impl Display) -> Self {
        assert_eq!(self.metadata.get(key), Some(&format!("{value}")), "{self:?}");
        self
    }
}
