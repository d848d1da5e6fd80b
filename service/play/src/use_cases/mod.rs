//! What can be asked of the service: one file a call.

mod abort_match;
mod check_move;
mod claim_seat;
mod create_match;
mod create_rematch;
mod draw;
mod export_log;
mod fork_match;
mod get_choices;
mod get_match;
mod get_view;
mod list_events;
mod list_games;
mod list_keys;
mod list_legal_moves;
mod list_matches;
mod open_match;
mod resign;
mod rotate_seat_token;
mod sample_move;
mod seat_call;
mod sign_head;
mod stream_feed;
mod submit_move;
mod watch_match;

pub use export_log::Export;
pub use stream_feed::Feed;
pub use watch_match::Watch;

use uuid::Uuid;

use crate::service_key::sha256;

/// What a call's id is good for: an id may be used once in each.
#[derive(Clone, Copy)]
enum Scope {
    /// Calls that name no match yet.
    NewMatch,
    /// Calls on a match that exists.
    OneMatch,
}

/// What is stored of a call's id, to know the call again.
fn request_hash(scope: Scope, request_id: Uuid) -> [u8; 32] {
    let scope: &[u8] = match scope {
        Scope::NewMatch => b"new",
        Scope::OneMatch => b"one",
    };
    sha256(&[b"matchbook.request.v1\0", scope, request_id.as_bytes()])
}

/// The id was used for something else.
fn request_id_reused() -> crate::Refusal {
    crate::Refusal::new(
        wire::v1::ErrorReason::RequestIdReused,
        "this request_id was used for a call with other content; use a fresh one",
    )
}
