//! Why a use case did not do what was asked. Transport codes are not known here:
//! the server has the one table from reason to code.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use wire::v1::ErrorReason;

/// When a service that stops has a successor, as a guess.
const COME_BACK_AFTER: Duration = Duration::from_secs(1);

/// A refused call. It changed nothing, unless the reason is
/// [`ErrorReason::OutcomeUnknown`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A word of the closed list; programs decide by it.
    pub reason: ErrorReason,
    /// One sentence for a person: what is wrong and what to do.
    pub message: String,
    /// Facts for programs, such as `paragraph` or `actual_seq`.
    pub metadata: BTreeMap<&'static str, String>,
    /// The request's fields that are at fault, if it is a matter of fields.
    pub fields: Vec<FieldViolation>,
    /// When it makes sense to try again, if it ever does.
    pub retry_after: Option<Duration>,
}

/// A field of a request and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldViolation {
    /// Path in the request in proto spelling, for example
    /// `options.angels_and_demons.rows`.
    pub field: String,
    /// What it must be.
    pub description: String,
}

impl Refusal {
    /// A refusal with a reason and a sentence, and nothing else yet.
    pub fn new(reason: ErrorReason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            metadata: BTreeMap::new(),
            fields: Vec::new(),
            retry_after: None,
        }
    }

    /// A field that is missing, malformed or out of range.
    pub fn field(field: impl Into<String>, description: impl Into<String>) -> Self {
        let (field, description) = (field.into(), description.into());
        let mut refusal = Self::new(ErrorReason::InvalidArgument, format!("{field}: {description}"));
        refusal.fields.push(FieldViolation { field, description });
        refusal
    }

    /// A fault of ours. The cause belongs into the log, not into the answer.
    pub fn internal() -> Self {
        Self::new(ErrorReason::Internal, "the service failed to answer; its log says why")
    }

    /// The service ends; another one, or this one started anew, goes on.
    pub fn stopping(message: impl Into<String>) -> Self {
        Self::new(ErrorReason::ShuttingDown, message).retry_after(COME_BACK_AFTER)
    }

    /// The reason as programs are told it: the enum value's name in lower case,
    /// without its prefix.
    pub fn reason_word(&self) -> String {
        reason_word(self.reason)
    }

    /// Adds a fact for programs.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.metadata.insert(key, value.to_string());
        self
    }

    /// Says when to try again.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }
}

/// A reason as a lower-case word, for example `not_your_turn`.
pub fn reason_word(reason: ErrorReason) -> String {
    reason.as_str_name().trim_start_matches("ERROR_REASON_").to_ascii_lowercase()
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// There is no such match, as far as this caller may know.
pub(crate) fn unknown_match() -> Refusal {
    Refusal::new(ErrorReason::UnknownMatch, "there is no such match")
}
