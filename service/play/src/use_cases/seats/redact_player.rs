//! `RedactPlayer`: erases the player of a seat. The player stands outside the log, whose chain stays the
//! same.

use std::sync::Arc;

use event::Seat;
use wire::v1::{self as proto, ErrorReason};

use crate::access::AccessControl;
use crate::live::{LiveHead, LiveMatch};
use crate::refusal::of_append_error;
use crate::requests::fields;
use crate::{Caller, Play, Refusal, Role};

impl Play {
    /// Erases the player of a claimed seat, whatever the match's status. Succeeds again if none is left.
    pub async fn redact_player(
        &self,
        caller: &Caller,
        request: proto::RedactPlayerRequest,
    ) -> Result<proto::RedactPlayerResponse, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let head = self.matches.current(match_id).await?;
        check_may_redact(&self.access, caller, &head)?;
        let seat = fields::seat("seat", request.seat, head.position.seat_count())?;
        if head.position.seating(seat).is_none() {
            let message = "the seat is not claimed, so it has no player";
            return Err(Refusal::new(ErrorReason::SeatNotClaimed, message));
        }
        let (live, _) = self.matches.cached(match_id).await?;
        let lock = Arc::clone(&live.match_lock).lock_owned().await;
        let play = self.clone();
        let erase = async move {
            let _lock = lock;
            play.erase(&live, seat).await
        };
        self.detached(match_id, erase).await
    }

    /// Erases a player. The caller must hold the match lock.
    async fn erase(&self, live: &LiveMatch, seat: Seat) -> Result<proto::RedactPlayerResponse, Refusal> {
        let match_id = live.match_id;
        let erased = self.journal.erase_player(match_id, seat.number()).await;
        // Whatever the outcome: no later call is answered from the cached player.
        live.invalidate();
        erased.map_err(|error| of_append_error(match_id, error))?;
        let head = self.matches.catch_up(live).await?;
        // Owner and admins see the ids of the players who are left.
        let shown = head.registration.match_shown_to_owner(&head.position);
        Ok(proto::RedactPlayerResponse { r#match: Some(shown) })
    }
}

/// Refuses callers other than the match's owner and operators. Who may not know the match learns nothing of
/// it.
fn check_may_redact(access: &AccessControl, caller: &Caller, head: &LiveHead) -> Result<(), Refusal> {
    let party = access.party(caller, head)?;
    match access.key(caller)? {
        Some(key) if party.is_owner() || key.role == Role::Admin => Ok(()),
        Some(_) => Err(Refusal::new(
            ErrorReason::NotAllowed,
            "only the API key that created the match, or one of role admin, can redact its players",
        )
        .with("roles", "app,admin")),
        None => Err(Refusal::new(
            ErrorReason::MissingKey,
            "redacting a player requires the API key that created the match, or one of role admin; send \
             `authorization: Bearer KEY`",
        )),
    }
}
