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

use rules::Seat;
use uuid::Uuid;

use crate::live::Head;
use crate::service_key::sha256;
use crate::{Play, Refusal, token};

pub use export_log::Export;
pub use stream_feed::Feed;
pub use watch_match::Watch;

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

/// A repeated call gets the token of the first time, which derives from the service key. Since the key was changed it would
/// be one that opens nothing.
fn check_token(head: &Head, seat: Seat, generation: u32, token: &str) -> Result<(), Refusal> {
    let issued = head.registration.tokens[seat];
    let other = issued.hash.is_some_and(|stored| !token::equal(&token::hash(token), &stored));
    // An earlier generation's is void anyway.
    if issued.generation == generation && other {
        return Err(Refusal::new(
            wire::v1::ErrorReason::RequestIdReused,
            "the call took effect once, but its token can't be told again: the service key was changed since; ask for a \
             new token with a fresh request_id",
        ));
    }
    Ok(())
}

impl Play {
    /// The same for a match whose head is not at hand.
    async fn check_repeated_token(
        &self,
        match_id: Uuid,
        seat: Seat,
        generation: u32,
        token: &str,
    ) -> Result<(), Refusal> {
        let (_, head) = self.cached(match_id).await?;
        check_token(&head, seat, generation, token)
    }
}

/// The id was used for something else.
fn request_id_reused() -> Refusal {
    Refusal::new(
        wire::v1::ErrorReason::RequestIdReused,
        "this request_id was used for a call with other content; use a fresh one",
    )
}
