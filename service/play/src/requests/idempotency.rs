//! Request ids. A call with one takes effect once: a retry with the same id returns the original response,
//! and the same id with other content is refused.

use event::MatchId;
use uuid::Uuid;
use wire::v1::ErrorReason;

use crate::Refusal;
use crate::keys::sha256;

/// What a request id must be unique within.
#[derive(Clone, Copy)]
pub(crate) enum RequestScope {
    /// Calls that create a match, per owner.
    NewMatch,
    /// Calls on one match, per seat.
    OneMatch,
}

/// The stored hash of a request id. No secret of the request is part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestHash(pub [u8; 32]);

impl RequestHash {
    pub(crate) fn of(scope: RequestScope, request_id: Uuid) -> Self {
        let scope: &[u8] = match scope {
            RequestScope::NewMatch => b"new",
            RequestScope::OneMatch => b"one",
        };
        Self(sha256(&[b"matchbook.request.v1\0", scope, request_id.as_bytes()]))
    }

    /// Returns the hash of the webhook that an owner creates with a request.
    pub(crate) fn of_webhook(owner: &str, request_id: Uuid) -> Self {
        Self(sha256(&[b"matchbook.webhook.v1\0", request_id.as_bytes(), owner.as_bytes()]))
    }

    /// Returns the hash under which a match has its only rematch, whichever seat asks first.
    pub(crate) fn of_rematch(parent: MatchId) -> Self {
        Self(sha256(&[b"matchbook.rematch.v1\0", parent.0.as_bytes()]))
    }
}

/// Returns the refusal of a request id that was used for another call.
pub(crate) fn request_id_reused() -> Refusal {
    Refusal::new(
        ErrorReason::RequestIdReused,
        "this request_id was used for a call with other content; use a new one",
    )
}
