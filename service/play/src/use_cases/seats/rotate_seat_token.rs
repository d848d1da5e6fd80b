//! `RotateSeatToken`: a seat gets a new token, and the previous one becomes invalid.

use replay::Entry;
use rules::Seat;
use wire::v1::{self as proto, ErrorReason};

use crate::access::{AccessControl, ClaimSecret, Party, SeatToken, TokenGrant};
use crate::changes::{Call, Judgment};
use crate::live::{LiveHead, RequestKind};
use crate::preconditions::match_over;
use crate::refusal::of_replay_error;
use crate::requests::{fields, request_id_reused};
use crate::{Caller, Play, Refusal};

/// A checked request.
struct RotateSeatToken {
    call: Call,
    seat: Seat,
    secret: ClaimSecret,
}

impl Play {
    /// Replaces the token of a claimed seat, or returns the original response to a retry.
    pub async fn rotate_seat_token(
        &self,
        caller: &Caller,
        request: proto::RotateSeatTokenRequest,
    ) -> Result<proto::RotateSeatTokenResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let rotation = RotateSeatToken {
            seat: fields::seat("seat", request.seat)?,
            secret: ClaimSecret::read("claim_secret", request.claim_secret.as_deref(), self.secret())?,
            call,
        };
        let play = self.clone();
        self.detached(rotation.call.match_id, async move { play.rotate(rotation).await }).await
    }

    async fn rotate(&self, rotation: RotateSeatToken) -> Result<proto::RotateSeatTokenResponse, Refusal> {
        let match_id = rotation.call.match_id;
        let accepted = self.matches.change(match_id, |head| rotation.judge(&self.access, head)).await?;
        let Some(Entry::SeatTokenRotated(rotated)) = accepted.events.first().map(|event| event.entry())
        else {
            return Err(request_id_reused());
        };
        let grant = rotation.grant(rotated.generation);
        let seat_token = if accepted.repeated {
            let (_, head) = self.matches.cached(match_id).await?;
            self.access.repeated_token(&head, &grant)
        } else {
            self.access.seat_token(&grant)
        };
        Ok(proto::RotateSeatTokenResponse { r#match: Some(accepted.match_shown()), seat_token })
    }
}

impl RotateSeatToken {
    fn judge(&self, access: &AccessControl, head: &LiveHead) -> Judgment {
        let party = access.party(&self.call.caller, head);
        // The first call has made the token that it came with invalid. A retry that proves its secret needs
        // no other credential; another seat's token shows that it is no retry.
        let of_other_seat =
            party.as_ref().is_ok_and(|party| party.seat().is_some_and(|seat| seat != self.seat));
        if !of_other_seat && self.proves_secret(access, head) {
            self.call.check_repeated(head, self.seat, RequestKind::Rotation)?;
        }
        self.check_may_rotate(party?)?;
        self.call.check_repeated(head, self.seat, RequestKind::Rotation)?;
        self.call.check_unused(head)?;
        self.call.check_time(head)?;
        if head.position.result().is_some() {
            return Err(match_over(head).into());
        }
        if head.position.seating(self.seat).is_none() {
            let message = "the seat is not claimed, so it has no token; claim it first";
            return Err(Refusal::new(ErrorReason::SeatNotClaimed, message).into());
        }
        let mut decision = self.call.decide(head);
        decision.rotate(self.seat).map_err(of_replay_error)?;
        let generation = head.registration.tokens[self.seat].generation.saturating_add(1);
        let token = SeatToken::new(&access.seat_token(&self.grant(generation)), generation);
        Ok(Box::new(self.call.change(decision, head).with_token(self.seat, token)))
    }

    fn grant(&self, generation: u32) -> TokenGrant<'_> {
        TokenGrant { match_id: self.call.match_id, seat: self.seat, generation, secret: &self.secret }
    }

    /// Returns whether the seat's newest token derives from the secret of this call.
    fn proves_secret(&self, access: &AccessControl, head: &LiveHead) -> bool {
        let generation = head.registration.tokens[self.seat].generation;
        !access.repeated_token(head, &self.grant(generation)).is_empty()
    }

    fn check_may_rotate(&self, party: Party) -> Result<(), Refusal> {
        if party.is_owner() || party.seat() == Some(self.seat) {
            return Ok(());
        }
        if party.is_anonymous() {
            return Err(Refusal::new(
                ErrorReason::MissingToken,
                "this call requires the seat's token, sent as `matchbook-seat-token: TOKEN`, or the owner's \
                 API key, sent as `authorization: Bearer KEY`",
            ));
        }
        Err(Refusal::new(
            ErrorReason::NotAllowed,
            "only the seat itself or the API key that created the match can replace a seat's token",
        ))
    }
}
