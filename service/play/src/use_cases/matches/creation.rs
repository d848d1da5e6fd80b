//! The first event of a match, whether it is created, forked or a rematch.

use std::sync::Arc;

use event::{MatchId, RecordTime, Seat, Seq};
use journal::{Append, AppendError, DeadlineChange, Labels, PlayerRow, Registered, Shards};
use replay::{ClockSettings, Decided, Decision, NewMatch, Position, StartingPosition, TimeControl};
use wire::v1::{self as proto, ErrorReason};

use crate::access::{ClaimSecret, SeatToken, TokenGrant};
use crate::changes::{identifies_request, new_events};
use crate::live::LiveHead;
use crate::refusal::{of_append_error, of_read_error, of_replay_error};
use crate::registration::Registration;
use crate::requests::RequestHash;
use crate::{Play, Refusal, ShareHolder};

/// What a new match is like.
pub(super) struct MatchSpec {
    pub start: StartingPosition,
    pub visibility: proto::Visibility,
    pub control: Option<TimeControl>,
    /// What its log does not hold. The request in it is never forgotten.
    pub registered: Registered,
    /// The labels that it has at first.
    pub labels: Labels,
    /// A claim that is made with the match.
    pub claim: Option<InitialClaim>,
    /// Who bears its part of what all callers share.
    pub share_holder: Option<ShareHolder>,
}

/// A seat that is claimed when the match is created.
#[derive(Clone)]
pub(super) struct InitialClaim {
    pub seat: Seat,
    pub player: PlayerRow,
    pub secret: ClaimSecret,
}

/// The match that a creating call leads to.
pub(super) enum Creation {
    /// The call created the match.
    New { position: Arc<Position>, registration: Registration },
    /// The call is a retry, and its match exists.
    Existing(Arc<LiveHead>),
}

impl Play {
    /// Creates a match, or finds the one that the same request of the owner created before.
    pub(super) async fn create(&self, match_id: MatchId, spec: MatchSpec) -> Result<Creation, Refusal> {
        let play = self.clone();
        self.detached(spec.share_holder, match_id, async move { play.start_match(match_id, spec).await })
            .await
    }

    async fn start_match(&self, match_id: MatchId, spec: MatchSpec) -> Result<Creation, Refusal> {
        let MatchSpec { start, visibility, control, registered, labels, claim, share_holder } = spec;
        let is_fork = matches!(start, StartingPosition::Fork(_));
        let request = registered.create_request_hash.map(RequestHash);
        let new = NewMatch {
            games: self.games(),
            match_id,
            start,
            visibility,
            clock_settings: control
                .map(|control| ClockSettings { control, grace_ms: self.durations.grace_ms() }),
            salt: self.secret(),
            seed_bytes: self.secret(),
        };
        let now = self.now();
        let create = move || Decision::create(&new, now).map_err(of_replay_error);
        // A fork begins with all moves of its parent.
        let decided = if is_fork { self.matches.fold_past(share_holder, create).await } else { create() };
        let mut decision = decided?;
        let mut registration = Registration::new(registered, decision.position().seat_count());
        if let Some(claim) = &claim {
            decision
                .claim(claim.seat, &claim.player.display_name, Vec::new(), claim.player.salt)
                .map_err(of_replay_error)?;
            registration.set_player(claim.seat, Some(claim.player.clone()));
            registration.tokens[claim.seat] = SeatToken::first(&self.token_of(match_id, claim));
        }
        let decided = decision.finish().without_players();
        let bytes = public_bytes(&decided);
        let stored = if is_fork { Some(self.spend_on_fork(share_holder, bytes)?) } else { None };
        let _waiting = self.change_permits.acquire_bytes(share_holder, bytes)?;
        let append = Append {
            match_id,
            events: new_events(&decided, request),
            after: None,
            match_row: Some(registration.row(&decided.position)),
            deadline: DeadlineChange::Set { seq: Seq::FIRST, due: self.expiry_of(&decided.position) },
            labels,
            to_act: decided.position.to_act(),
        };
        let appended = self.journal.append(append).await;
        if let (Some(stored), Ok(_) | Err(AppendError::OutcomeUnknown)) = (stored, &appended) {
            stored.keep();
        }
        match appended {
            Ok(committed) => {
                let position = Arc::new(decided.position);
                let checkpoints = self.matches.new_checkpoints();
                let known = registration.clone();
                let mut head = LiveHead::at(Arc::clone(&position), committed.hlc, known, checkpoints);
                for applied in decided.applied {
                    let request = request.filter(|_| identifies_request(applied.entry()));
                    head.remember(Arc::new(applied), request);
                }
                self.matches.insert(head).await?;
                Ok(Creation::New { position, registration })
            }
            Err(AppendError::DuplicateCreate) => {
                self.existing(&registration.registered, share_holder).await.map(Creation::Existing)
            }
            Err(AppendError::TooLarge) => Err(too_many_moves()),
            Err(error) => Err(of_append_error(match_id, error)),
        }
    }

    /// Returns the match that this request of the owner created. If there is none, another request has taken
    /// the external id.
    async fn existing(
        &self,
        registered: &Registered,
        holder: Option<ShareHolder>,
    ) -> Result<Arc<LiveHead>, Refusal> {
        if let Some(head) = self.created_before(registered, holder).await? {
            return Ok(head);
        }
        let Registered { owner, external_id, .. } = registered;
        let external_id = external_id.as_deref().ok_or_else(Refusal::internal)?;
        let row = self.journal.match_by_external_id(owner, external_id).await.map_err(of_read_error)?;
        Err(external_id_taken(row.ok_or_else(Refusal::internal)?.match_id))
    }

    /// Returns the match that this request of the owner created, if it created one.
    pub(super) async fn created_before(
        &self,
        registered: &Registered,
        holder: Option<ShareHolder>,
    ) -> Result<Option<Arc<LiveHead>>, Refusal> {
        let Some(request) = &registered.create_request_hash else { return Ok(None) };
        let row = self.journal.match_by_create_request(&registered.owner, request).await;
        match row.map_err(of_read_error)? {
            Some(row) => self.matches.current(row.match_id, holder).await.map(Some),
            None => Ok(None),
        }
    }

    /// Returns the match that this request of the owner created, perhaps with another external id and so in
    /// another shard, where the key that forbids a second one is not looked at. With one shard the key
    /// suffices. It also decides between retries of one call, which name the same external id.
    pub(super) async fn created_in_another_shard(
        &self,
        registered: &Registered,
        holder: Option<ShareHolder>,
    ) -> Result<Option<Arc<LiveHead>>, Refusal> {
        match self.journal.shards() {
            Shards::ONE => Ok(None),
            _ => self.created_before(registered, holder).await,
        }
    }

    /// Returns when a match ends if its seats stay unclaimed.
    fn expiry_of(&self, position: &Position) -> RecordTime {
        RecordTime(position.record_time().0.saturating_add(self.durations.expiry_micros()))
    }

    /// Returns the token of a claim that is made with the match.
    pub(super) fn token_of(&self, match_id: MatchId, claim: &InitialClaim) -> String {
        self.access.seat_token(&TokenGrant::of_claim(match_id, claim.seat, &claim.secret))
    }
}

/// Returns the bytes of the public parts of a new match's events.
fn public_bytes(decided: &Decided) -> u64 {
    decided.applied.iter().map(|applied| applied.event().public.len() as u64).sum()
}

fn external_id_taken(match_id: MatchId) -> Refusal {
    let message = format!(
        "match {match_id} has this external_id; use that match, or choose another external_id for a new one"
    );
    Refusal::new(ErrorReason::ExternalIdTaken, message).with("match_id", match_id)
}

fn too_many_moves() -> Refusal {
    Refusal::new(
        ErrorReason::NotForkable,
        "the moves up to this position exceed the size of one event; fork from an earlier at_seq",
    )
}
