//! `RedactPlayer`: erases the player of a seat. The player stands outside the log, whose chain stays the
//! same, so nothing of the log is read for it.

use std::sync::Arc;

use event::Seat;
use journal::MatchRow;
use wire::v1::{self as proto, ErrorReason};

use crate::access::AccessControl;
use crate::live::{LiveHead, LiveMatch};
use crate::refusal::{Needed, of_append_error};
use crate::registration::Registration;
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
        let (live, head) = self.current_live(caller, match_id).await?;
        check_may_redact(&self.access, caller, &head)?;
        let seat = fields::seat("seat", request.seat, head.position.seat_count())?;
        if head.position.seating(seat).is_none() {
            let message = "the seat is not claimed, so it has no player";
            return Err(Refusal::new(ErrorReason::SeatNotClaimed, message));
        }
        if head.registration.player(seat).is_none() {
            // The directory may still hold a player who is not shown because the log has another one.
            let row = self.matches.row(match_id).await?;
            if !has_player(&row, seat) {
                return self.redacted(caller, &head, &Registration::of_row(&row)).await;
            }
        }
        let place = live.wait_as(self.origin(caller, &head))?;
        let lock = Arc::clone(&live.match_lock).lock_owned().await;
        let play = self.clone();
        let erase = async move {
            let _held = (lock, place);
            play.erase(&live, seat).await
        };
        let head = self.detached(caller.share_holder(), match_id, erase).await?;
        self.redacted(caller, &head, &head.registration).await
    }

    /// Erases a player. The caller must hold the match lock.
    async fn erase(&self, live: &LiveMatch, seat: Seat) -> Result<Arc<LiveHead>, Refusal> {
        let match_id = live.match_id;
        let erased = self.journal.erase_player(match_id, seat.number()).await;
        erased.map_err(|error| {
            // The player may have been erased all the same: no later call is answered from the cached one.
            live.invalidate();
            of_append_error(match_id, error)
        })?;
        live.publish_without_player(seat).ok_or_else(Refusal::internal)
    }

    /// Returns the response with the players who are left. Owner and admins see their ids.
    async fn redacted(
        &self,
        caller: &Caller,
        head: &LiveHead,
        registration: &Registration,
    ) -> Result<proto::RedactPlayerResponse, Refusal> {
        let mut registration = registration.clone();
        registration.remove_forged_players(&head.position);
        let shown = self.changed_match(caller, &registration, &head.position).await?;
        Ok(proto::RedactPlayerResponse { r#match: Some(shown) })
    }
}

/// Returns whether the directory has the player of a seat.
fn has_player(row: &MatchRow, seat: Seat) -> bool {
    row.seats.get(seat.index()).and_then(Option::as_ref).is_some_and(|claimed| claimed.player.is_some())
}

/// Refuses callers other than the match's owner and operators. Who may not know the match learns nothing of
/// it.
fn check_may_redact(access: &AccessControl, caller: &Caller, head: &LiveHead) -> Result<(), Refusal> {
    let party = access.party(caller, head)?;
    match access.key(caller)? {
        Some(key) if party.is_owner() || key.role == Role::Admin => Ok(()),
        Some(_) => Err(Refusal::not_allowed(
            &[Needed::OwnerKey],
            "only the API key that owns the match, or one of role admin, can redact its players",
        )
        .with("roles", Role::Admin)),
        None => Err(Refusal::new(
            ErrorReason::MissingKey,
            "redacting a player requires the API key that owns the match, or one of role admin; send \
             `authorization: Bearer KEY`",
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt;
    use journal::{Journal, JournalConfig};
    use tokio::time::timeout;

    use super::*;
    use crate::{ApiKey, KeyRing, ServiceKey, Settings};

    /// A match with a player, its owner, and a service.
    struct Table {
        play: Play,
        owner: Caller,
        match_id: String,
    }

    impl Table {
        async fn new() -> Self {
            let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
            let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
            let settings = Settings { keys: KeyRing::new(vec![key]).unwrap(), ..Settings::default() };
            let play = Play::start(journal, ServiceKey::from_bytes([9; 32]), settings).await.unwrap();
            let owner = Caller::anonymous().with_key(secret);
            let create = proto::CreateMatchRequest {
                game_id: "ludus-magus".to_owned(),
                claim: Some(proto::SeatClaim {
                    seat: Some(0),
                    player: Some(proto::Player::named("Ada")),
                    claim_secret: None,
                }),
                ..Default::default()
            };
            let created = play.create_match(&owner, create).await.unwrap();
            Self { play, owner, match_id: created.r#match.unwrap().match_id }
        }

        async fn redact(&self) -> Result<proto::RedactPlayerResponse, Refusal> {
            let request = proto::RedactPlayerRequest { match_id: self.match_id.clone(), seat: Some(0) };
            self.play.redact_player(&self.owner, request).await
        }

        async fn live(&self) -> (Arc<LiveMatch>, Arc<LiveHead>) {
            self.play.matches.cached(fields::match_id(&self.match_id).unwrap(), None).await.unwrap()
        }
    }

    #[tokio::test]
    async fn an_erasure_folds_nothing() {
        let table = Table::new().await;
        let (_, before) = table.live().await;
        table.redact().await.unwrap();
        let (live, after) = table.live().await;
        assert!(after.registration.player(Seat::ALL[0]).is_none());
        assert!(Arc::ptr_eq(&before.position, &after.position) && !live.is_stale());
    }

    #[tokio::test(start_paused = true)]
    async fn an_erasure_that_was_made_is_confirmed_without_the_lock_or_another_one() {
        let table = Table::new().await;
        let first = table.redact().await.unwrap();
        let (live, head) = table.live().await;
        let _held = Arc::clone(&live.match_lock).lock_owned().await;
        for _ in 0..100 {
            let again = timeout(Duration::from_secs(60), table.redact()).await;
            assert_eq!(again.expect("the call waits for the lock").as_ref(), Ok(&first));
        }
        assert!(Arc::ptr_eq(&head, &table.live().await.1), "nothing was published");
    }

    #[tokio::test(start_paused = true)]
    async fn the_owner_cannot_fill_the_queue_of_a_match_with_erasures() {
        let table = Table::new().await;
        let (live, _) = table.live().await;
        let held = Arc::clone(&live.match_lock).lock_owned().await;
        let mut waiting: Vec<_> = (0..100).map(|_| Box::pin(table.redact())).collect();
        let refused: Vec<_> = waiting.iter_mut().filter_map(FutureExt::now_or_never).collect();
        assert_eq!(refused.len(), 68);
        for result in refused {
            let refusal = result.unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::RateLimited);
            assert!(refusal.retry_after.is_some());
        }
        waiting.clear();
        drop(held);
        table.redact().await.unwrap();
    }
}
