//! Refusals: why a use case did not do what a call asked for. Transport codes are unknown here; the server
//! maps reasons to codes in one table.

mod journal_errors;
mod replay_errors;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use event::Seq;
use wire::v1::{self as proto, ErrorReason};

pub(crate) use journal_errors::{of_append_error, of_failed_change, of_read_error, unread_after_change};
pub(crate) use replay_errors::of_replay_error;

/// Estimated time until another replica, or this one restarted, accepts calls again.
const RESTART_TIME: Duration = Duration::from_secs(1);

/// A refused call. It changed nothing, unless the reason is [`ErrorReason::OutcomeUnknown`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A reason from the closed list, for programs.
    pub reason: ErrorReason,
    /// A sentence for people: what is wrong and what to do.
    pub message: String,
    /// Facts for programs, such as `paragraph` or `actual_seq`.
    pub metadata: BTreeMap<&'static str, String>,
    /// The request's fields at fault, if any.
    pub fields: Vec<FieldViolation>,
    /// How long to wait before a retry, if a retry can succeed.
    pub retry_after: Option<Duration>,
}

/// The two credentials that a call may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    /// An API key.
    ApiKey,
    /// A seat's token.
    SeatToken,
}

impl Credential {
    /// Every credential.
    pub const ALL: [Self; 2] = [Self::ApiKey, Self::SeatToken];

    /// Returns the credential's name in a refusal's metadata.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApiKey => "api_key",
            Self::SeatToken => "seat_token",
        }
    }
}

/// A credential that a refused call needs in place of the one that it had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needed {
    /// The API key that owns the match.
    OwnerKey,
    /// The token of the seat that the call is about.
    SeatToken,
}

impl Needed {
    const fn as_str(self) -> &'static str {
        match self {
            Self::OwnerKey => "owner_api_key",
            Self::SeatToken => "seat_token",
        }
    }
}

/// A field of a request and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldViolation {
    /// Path in the request in proto spelling, for example `options.angels_and_demons.rows`.
    pub field: String,
    /// What the field must be.
    pub description: String,
}

impl Refusal {
    /// Returns a refusal with a reason and a message.
    pub fn new(reason: ErrorReason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            metadata: BTreeMap::new(),
            fields: Vec::new(),
            retry_after: None,
        }
    }

    /// Returns the refusal of a field that is missing, malformed or out of range.
    pub fn field(field: impl Into<String>, description: impl Into<String>) -> Self {
        let (field, description) = (field.into(), description.into());
        let mut refusal = Self::new(ErrorReason::InvalidArgument, format!("{field}: {description}"));
        refusal.fields.push(FieldViolation { field, description });
        refusal
    }

    /// Returns the refusal of a credential that is malformed or not valid. Metadata `credential` says which.
    pub fn bad_credential(credential: Credential, message: impl Into<String>) -> Self {
        Self::new(ErrorReason::BadToken, message).with("credential", credential.as_str())
    }

    /// Returns the refusal of a credential that does not suffice. Metadata `needs` lists those of which each
    /// would.
    pub(crate) fn not_allowed(needed: &[Needed], message: impl Into<String>) -> Self {
        let names: Vec<&str> = needed.iter().map(|needed| needed.as_str()).collect();
        Self::new(ErrorReason::NotAllowed, message).with("needs", names.join(","))
    }

    /// Returns the refusal for a fault of the service. The cause goes to the log, not to the caller.
    pub fn internal() -> Self {
        Self::new(ErrorReason::Internal, "internal error; the service's log has the cause")
    }

    /// Returns the refusal of a service that is shutting down, with a time to retry at.
    pub fn stopping(message: impl Into<String>) -> Self {
        Self::new(ErrorReason::ShuttingDown, message).retry_after(RESTART_TIME)
    }

    /// Returns the reason as callers receive it, for example `NOT_YOUR_TURN`.
    pub fn reason_name(&self) -> &'static str {
        reason_name(self.reason)
    }

    /// Adds a fact for programs.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.metadata.insert(key, value.to_string());
        self
    }

    /// Names the request's fields from the message that has the request in this field.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        for field in &mut self.fields {
            let path = format!("{outer}.{}", field.field);
            if let Some(rest) = self.message.strip_prefix(&format!("{}: ", field.field)) {
                self.message = format!("{path}: {rest}");
            }
            field.field = path;
        }
        self
    }

    /// Sets how long to wait before a retry.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }
}

/// Returns a reason's proto name without its prefix, for example `NOT_YOUR_TURN`.
pub fn reason_name(reason: ErrorReason) -> &'static str {
    reason.as_str_name().trim_start_matches("ERROR_REASON_")
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for proto::Refusal {
    fn from(refusal: Refusal) -> Self {
        let mut metadata = refusal.metadata;
        let paragraph = metadata.remove("paragraph").unwrap_or_default();
        let field = |violation: FieldViolation| proto::FieldViolation {
            field: violation.field,
            description: violation.description,
        };
        Self {
            reason: reason_name(refusal.reason).to_owned(),
            message: refusal.message,
            paragraph,
            metadata: metadata.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            fields: refusal.fields.into_iter().map(field).collect(),
            retry_delay: refusal.retry_after.and_then(|wait| wait.try_into().ok()),
        }
    }
}

/// Returns the refusal of a caller that names an event which the log does not have: the database has lost it
/// since, or the caller mistyped it.
pub(crate) fn unknown_event(seq: Seq) -> Refusal {
    let message = format!(
        "the log has no event {seq} with this hash; check after_seq and after_hash: if they are as received, \
         the database has lost the event: discard the match and watch it from its first event"
    );
    Refusal::new(ErrorReason::HistoryChanged, message)
}

/// Returns the refusal of a caller that was shown events which the database has lost since.
pub(crate) fn history_changed() -> Refusal {
    let message = "the database lost events of this match that were shown, and others may have followed; \
                   discard the match and watch it from its first event";
    Refusal::new(ErrorReason::HistoryChanged, message)
}

/// Returns the refusal of a feed whose reader has events that the database has lost since.
pub(crate) fn feed_history_changed() -> Refusal {
    let message =
        "the database lost events that this feed sent; read the feed from the beginning and compare";
    Refusal::new(ErrorReason::HistoryChanged, message)
}

/// Returns the refusal for a match that does not exist. A private match gets the same one, so that its
/// existence stays hidden.
pub(crate) fn unknown_match() -> Refusal {
    Refusal::new(
        ErrorReason::UnknownMatch,
        "match not found; check match_id, and for a private match send a seat's token or the owner's API key",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_named_without_its_prefix() {
        assert_eq!(reason_name(ErrorReason::NotYourTurn), "NOT_YOUR_TURN");
        let refusal = Refusal::new(ErrorReason::UnknownMatch, "match not found").with("paragraph", "G-1");
        assert_eq!(refusal.reason_name(), "UNKNOWN_MATCH");
        let sent = proto::Refusal::from(refusal);
        assert_eq!((&*sent.reason, &*sent.paragraph), ("UNKNOWN_MATCH", "G-1"));
        assert!(sent.metadata.is_empty(), "the paragraph has its own field");
    }
}
