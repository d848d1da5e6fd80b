//! `ClaimSeat`: a player takes a seat and gets its token; the second one starts
//! the match.

use event::SALT_BYTES;
use journal::RecordedTime;
use replay::{Draft, Entry, Phase};
use rules::Seat;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::{Scope, request_hash, request_id_reused};
use crate::access::{self, Party};
use crate::live::{Head, catch_up};
use crate::stored::IssuedToken;
use crate::turn::{Change, Verdict};
use crate::{Caller, Play, Refusal, fields, judge, token};

/// A checked request.
pub(super) struct Claim {
    match_id: Uuid,
    seat: Seat,
    player_name: String,
    entropy: Vec<u8>,
    request_id: Uuid,
    request_hash: Option<[u8; 32]>,
    arrival: i64,
    salt: [u8; SALT_BYTES],
}

impl Play {
    /// Takes a free seat, or gives again what the same call got before.
    pub async fn claim_seat(
        &self,
        caller: &Caller,
        request: proto::ClaimSeatRequest,
    ) -> Result<proto::ClaimSeatResponse, Refusal> {
        let claim = self.claim_of(request)?;
        let (_, head) = self.fresh(claim.match_id).await?;
        may_claim(access::party(&self.keys, caller, &head)?, &head)?;
        let play = self.clone();
        self.detached(claim.match_id, async move { play.claim(claim).await }).await
    }

    fn claim_of(&self, request: proto::ClaimSeatRequest) -> Result<Claim, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let seat = fields::seat("seat", request.seat)?;
        fields::player_name("player_name", &request.player_name)?;
        fields::entropy(&request.entropy)?;
        let given = fields::request_id(request.request_id.as_deref())?;
        Ok(Claim { entropy: request.entropy, ..self.plain_claim(match_id, seat, request.player_name, given) })
    }

    /// A claim without entropy.
    pub(super) fn plain_claim(
        &self,
        match_id: Uuid,
        seat: Seat,
        player_name: String,
        request_id: Option<Uuid>,
    ) -> Claim {
        Claim {
            match_id,
            seat,
            player_name,
            entropy: Vec::new(),
            request_id: request_id.unwrap_or_else(|| self.fresh_id()),
            request_hash: request_id.map(|id| request_hash(Scope::OneMatch, id)),
            arrival: self.now(),
            salt: self.secret(),
        }
    }

    pub(super) async fn claim(&self, claim: Claim) -> Result<proto::ClaimSeatResponse, Refusal> {
        let token = self.first_token(claim.match_id, claim.seat, claim.request_id);
        let outcome = self.take_turn(claim.match_id, |head| claim.judge(head, &token)).await?;
        if outcome.repeated
            && !outcome.told.first().is_some_and(|told| claim.is_told_by(told.entry(), told.claimed_name()))
        {
            return Err(request_id_reused());
        }
        if outcome.repeated {
            self.check_repeated_token(claim.match_id, claim.seat, 1, &token).await?;
        }
        Ok(proto::ClaimSeatResponse { r#match: Some(outcome.position.match_shown()), seat_token: token })
    }
}

/// Anybody who knows of a match may sit down; in a private one its owner decides who does.
fn may_claim(party: Party, head: &Head) -> Result<(), Refusal> {
    if head.position.visibility() == proto::Visibility::Private && party != Party::Owner {
        let message = "the seats of a private match are claimed by the API key that created it";
        return Err(Refusal::new(ErrorReason::NotAllowed, message));
    }
    Ok(())
}

impl Claim {
    fn judge(&self, head: &Head, token: &str) -> Result<Verdict, Refusal> {
        if let Some(first) = self.request_hash.and_then(|hash| head.known_claim(self.seat, &hash)) {
            return Ok(Verdict::Repeated { first });
        }
        if self.request_hash.is_some_and(|hash| head.known_claim(self.seat.other(), &hash).is_some()) {
            return Err(request_id_reused());
        }
        match head.position.phase() {
            Phase::Over(_) => return Err(judge::match_over(head)),
            Phase::Open | Phase::Running(_) if head.position.sitting(self.seat).is_some() => {
                return Err(Refusal::new(ErrorReason::SeatTaken, "somebody has claimed this seat"));
            }
            Phase::Open | Phase::Running(_) => {}
        }
        let mut draft = Draft::after(&head.position, RecordedTime(self.arrival));
        draft
            .claim(self.seat, &self.player_name, self.entropy.clone(), self.salt)
            .map_err(catch_up::broken_log)?;
        Ok(Verdict::Change(Box::new(
            Change::of(draft, head, self.request_hash)
                .issuing(self.seat, IssuedToken { hash: Some(token::hash(token)), generation: 1 }),
        )))
    }

    /// Whether an earlier claim had the same content.
    fn is_told_by(&self, entry: &Entry, name: Option<&str>) -> bool {
        match entry {
            Entry::SeatClaimed(claim) => {
                name == Some(self.player_name.as_str()) && claim.entropy == self.entropy
            }
            _ => false,
        }
    }
}
