//! `RotateSeatToken`: a seat gets a new token, and the previous one becomes invalid.

use replay::Entry;
use rules::Seat;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use crate::access::{AccessControl, Party, SeatToken, TokenGrant};
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
    /// The id that the new token derives from.
    token_id: Uuid,
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
            token_id: call.request_id.unwrap_or_else(|| self.random_request_id()),
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
        let seat_token = self.access.seat_token(&grant);
        if accepted.repeated {
            self.check_repeated_token(&grant, &seat_token).await?;
        }
        Ok(proto::RotateSeatTokenResponse { r#match: Some(accepted.match_shown()), seat_token })
    }
}

impl RotateSeatToken {
    fn judge(&self, access: &AccessControl, head: &LiveHead) -> Judgment {
        // Before the caller is identified: the first call has made the token that it came with invalid.
        // Knowing that call's secret request id is proof enough.
        self.call.check_repeated(head, self.seat, RequestKind::Rotation)?;
        self.check_may_rotate(access.party(&self.call.caller, head)?)?;
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

    fn grant(&self, generation: u32) -> TokenGrant {
        TokenGrant { match_id: self.call.match_id, seat: self.seat, generation, request_id: self.token_id }
    }

    fn check_may_rotate(&self, party: Party) -> Result<(), Refusal> {
        match party {
            Party::Owner => Ok(()),
            Party::Seat(seat) if seat == self.seat => Ok(()),
            Party::Seat(_) | Party::OtherKey => Err(Refusal::new(
                ErrorReason::NotAllowed,
                "only the seat itself or the API key that created the match can replace a seat's token",
            )),
            Party::Anonymous => Err(Refusal::new(
                ErrorReason::MissingToken,
                "this call requires the seat's token or the owner's API key; send `authorization: Bearer \
                 TOKEN`",
            )),
        }
    }
}
