//! `RotateSeatToken`: a seat gets a new token, and the one before is void.

use journal::RecordedTime;
use replay::{Draft, Entry};
use rules::Seat;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::{Scope, request_hash, request_id_reused};
use crate::access::{self, Party};
use crate::live::{Head, catch_up};
use crate::stored::IssuedToken;
use crate::token::{self, Grant};
use crate::turn::{Change, Verdict};
use crate::{Caller, KeyRing, Play, Refusal, fields, judge};

/// A checked request.
struct Rotation {
    match_id: Uuid,
    seat: Seat,
    caller: Caller,
    request_id: Uuid,
    request_hash: Option<[u8; 32]>,
    arrival: i64,
}

impl Play {
    /// A new token for a claimed seat, or again the one that the same call got before.
    pub async fn rotate_seat_token(
        &self,
        caller: &Caller,
        request: proto::RotateSeatTokenRequest,
    ) -> Result<proto::RotateSeatTokenResponse, Refusal> {
        let given = fields::request_id(request.request_id.as_deref())?;
        let rotation = Rotation {
            match_id: fields::match_id(&request.match_id)?,
            seat: fields::seat("seat", request.seat)?,
            caller: caller.clone(),
            request_id: given.unwrap_or_else(|| self.fresh_id()),
            request_hash: given.map(|id| request_hash(Scope::OneMatch, id)),
            arrival: self.now(),
        };
        let play = self.clone();
        self.detached(rotation.match_id, async move { play.rotate(rotation).await }).await
    }

    async fn rotate(&self, rotation: Rotation) -> Result<proto::RotateSeatTokenResponse, Refusal> {
        let token = |generation| self.token(&rotation, generation);
        let outcome =
            self.take_turn(rotation.match_id, |head| rotation.judge(&self.keys, head, &token)).await?;
        let Some(Entry::SeatTokenRotated(rotated)) = outcome.told.first().map(|told| told.entry()) else {
            return Err(request_id_reused());
        };
        let seat_token = token(rotated.generation);
        if outcome.repeated {
            let Rotation { match_id, seat, .. } = rotation;
            self.check_repeated_token(match_id, seat, rotated.generation, &seat_token).await?;
        }
        Ok(proto::RotateSeatTokenResponse { r#match: Some(outcome.position.match_shown()), seat_token })
    }

    fn token(&self, rotation: &Rotation, generation: u32) -> String {
        let Rotation { match_id, seat, request_id, .. } = *rotation;
        Grant { match_id, seat, generation, request_id }.token(&self.token_key)
    }
}

impl Rotation {
    fn judge(&self, keys: &KeyRing, head: &Head, token: &impl Fn(u32) -> String) -> Result<Verdict, Refusal> {
        // Before the caller is looked at: the call itself has made the token void that it came with. That it knows the
        // first call's secret id proves enough.
        if let Some(first) = self.request_hash.and_then(|hash| head.known_rotation(self.seat, &hash)) {
            return Ok(Verdict::Repeated { first });
        }
        self.may_rotate(access::party(keys, &self.caller, head)?)?;
        let used = self
            .request_hash
            .is_some_and(|hash| Seat::ALL.into_iter().any(|seat| head.known_request(seat, &hash).is_some()));
        if used {
            return Err(request_id_reused());
        }
        if let Some(end) = judge::end_on_time(head, self.arrival)? {
            return Ok(end);
        }
        if head.position.result().is_some() {
            return Err(judge::match_over(head));
        }
        if head.position.sitting(self.seat).is_none() {
            return Err(Refusal::new(ErrorReason::SeatNotClaimed, "nobody has claimed this seat"));
        }
        let mut draft = Draft::after(&head.position, RecordedTime(self.arrival));
        draft.rotate(self.seat).map_err(catch_up::broken_log)?;
        let generation = head.registration.tokens[self.seat].generation.saturating_add(1);
        let issued = IssuedToken { hash: Some(token::hash(&token(generation))), generation };
        let change = Change::of(draft, head, self.request_hash).issuing(self.seat, issued);
        Ok(Verdict::Change(Box::new(change)))
    }

    fn may_rotate(&self, party: Party) -> Result<(), Refusal> {
        match party {
            Party::Owner => Ok(()),
            Party::Seat(seat) if seat == self.seat => Ok(()),
            Party::Seat(_) | Party::OtherKey => Err(Refusal::new(
                ErrorReason::NotAllowed,
                "a seat's token can be changed by that seat, or by the API key that created the match",
            )),
            Party::Anonymous => Err(Refusal::new(
                ErrorReason::MissingToken,
                "this call needs the seat's token, or the owner's API key: `authorization: Bearer TOKEN`",
            )),
        }
    }
}
