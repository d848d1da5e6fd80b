//! `ClaimSeat`: a player takes a seat and gets its token; the second one starts
//! the match.

use replay::{Draft, Entry, Phase};
use rules::Seat;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::{Scope, request_hash, request_id_reused};
use crate::{
    Caller, Play, Refusal, fields, judge,
    live::{Head, catch_up},
    stored::IssuedToken,
    token,
    turn::{Change, Verdict},
};

/// A checked request.
struct Claim {
    match_id: Uuid,
    seat: Seat,
    player_name: String,
    entropy: Vec<u8>,
    request_id: Uuid,
    request_hash: Option<[u8; 32]>,
}

impl Play {
    /// Takes a free seat, or gives again what the same call got before.
    pub async fn claim_seat(
        &self,
        _caller: &Caller,
        request: proto::ClaimSeatRequest,
    ) -> Result<proto::ClaimSeatResponse, Refusal> {
        let claim = Claim::read(request)?;
        let play = self.clone();
        self.detached(claim.match_id, async move { play.claim(claim).await }).await
    }

    async fn claim(&self, claim: Claim) -> Result<proto::ClaimSeatResponse, Refusal> {
        let token = self.first_token(claim.match_id, claim.seat, claim.request_id);
        let outcome =
            self.take_turn(claim.match_id, |head| claim.judge(head, &token, self.journal.now().0)).await?;
        if outcome.repeated
            && !outcome.told.first().is_some_and(|told| claim.is_told_by(told.entry(), told.claimed_name()))
        {
            return Err(request_id_reused());
        }
        Ok(proto::ClaimSeatResponse { r#match: Some(outcome.position.match_shown()), seat_token: token })
    }
}

impl Claim {
    fn read(request: proto::ClaimSeatRequest) -> Result<Self, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let seat = fields::seat("seat", request.seat)?;
        fields::player_name("player_name", &request.player_name)?;
        fields::entropy(&request.entropy)?;
        let given = fields::request_id(request.request_id.as_deref())?;
        Ok(Self {
            match_id,
            seat,
            player_name: request.player_name,
            entropy: request.entropy,
            request_id: given.unwrap_or_else(Uuid::new_v4),
            request_hash: given.map(|id| request_hash(Scope::OneMatch, id)),
        })
    }

    fn judge(&self, head: &Head, token: &str, arrival: i64) -> Result<Verdict, Refusal> {
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
        let mut draft = Draft::after(&head.position, arrival);
        draft
            .claim(self.seat, &self.player_name, self.entropy.clone(), rand::random())
            .map_err(catch_up::broken_log)?;
        let mut registration = head.registration.clone();
        registration.tokens[self.seat] = IssuedToken { hash: Some(token::hash(token)), generation: 1 };
        Ok(Verdict::Change(Box::new(Change {
            ended: draft.finish(),
            request_hash: self.request_hash,
            registration,
            listed: true,
        })))
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
