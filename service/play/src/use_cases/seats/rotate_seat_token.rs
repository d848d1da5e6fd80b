//! `RotateSeatToken`: a seat gets a new token, and the previous one becomes invalid.

use event::Seat;
use replay::{Entry, MAX_ROTATIONS, acting_seat};
use wire::v1::{self as proto, ErrorReason};

use crate::access::{AccessControl, ClaimSecret, Party, SeatToken, TokenGrant};
use crate::changes::{Call, Judgment};
use crate::live::{LiveHead, RequestKind};
use crate::preconditions::match_over;
use crate::refusal::{Needed, of_replay_error};
use crate::registration::Registration;
use crate::requests::{fields, request_id_reused};
use crate::{Caller, Play, Refusal};

/// Maximum number of times that a seat's token is replaced without the owner's key.
const SEAT_ROTATIONS: u32 = 64;

/// A checked request.
struct RotateSeatToken {
    call: Call,
    /// The number that the request names.
    seat: Option<u32>,
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
            seat: request.seat,
            secret: ClaimSecret::read("claim_secret", request.claim_secret.as_deref(), self.secret())?,
            call,
        };
        self.rotate(rotation).await
    }

    async fn rotate(&self, rotation: RotateSeatToken) -> Result<proto::RotateSeatTokenResponse, Refusal> {
        let match_id = rotation.call.match_id;
        let proof = |registration: &Registration| {
            let seat = rotation.seat.and_then(Seat::from_number);
            seat.is_some_and(|seat| rotation.proves_secret(&self.access, registration, seat))
        };
        let judge = |head: &LiveHead| rotation.judge(&self.access, head);
        let accepted = self.change_with_proof(&rotation.call, proof, judge).await?;
        let entry = accepted.events.first().map(|event| event.entry());
        let (Some(Entry::SeatTokenRotated(rotated)), Some(seat)) = (entry, entry.and_then(acting_seat))
        else {
            return Err(request_id_reused());
        };
        let grant = rotation.grant(seat, rotated.generation);
        let caller = &rotation.call.caller;
        let seat_token = if accepted.repeated {
            let (_, head) = self.matches.cached(match_id, caller.share_holder()).await?;
            self.access.repeated_token(&head.registration, &grant)
        } else {
            self.access.seat_token(&grant)
        };
        let shown = self.changed_match(caller, &accepted.registration, &accepted.position).await?;
        Ok(proto::RotateSeatTokenResponse { r#match: Some(shown), seat_token })
    }
}

impl RotateSeatToken {
    fn judge(&self, access: &AccessControl, head: &LiveHead) -> Judgment {
        let party = access.party(&self.call.caller, head);
        let seat = fields::seat("seat", self.seat, head.position.seat_count());
        // The first call has made the token that it came with invalid. A retry that proves its secret needs
        // no other credential; another seat's token shows that it is no retry.
        if let Ok(seat) = seat
            && party.as_ref().map_or(true, |party| party.seat().is_none_or(|own| own == seat))
            && self.proves_secret(access, &head.registration, seat)
        {
            self.call.check_repeated(head, seat, RequestKind::Rotation)?;
        }
        let (party, seat) = (party?, seat?);
        check_may_rotate(party, seat)?;
        self.call.check_repeated(head, seat, RequestKind::Rotation)?;
        self.call.check_unused(head)?;
        self.call.check_time(head)?;
        if head.position.result().is_some() {
            return Err(match_over(head).into());
        }
        if head.position.seating(seat).is_none() {
            let message = "the seat is not claimed, so it has no token; claim it first";
            return Err(Refusal::new(ErrorReason::SeatNotClaimed, message).into());
        }
        check_number(party, head.registration.tokens[seat].generation)?;
        let mut decision = self.call.decide(head);
        decision.rotate(seat).map_err(of_replay_error)?;
        let generation = head.registration.tokens[seat].generation.saturating_add(1);
        let token = SeatToken::new(&access.seat_token(&self.grant(seat, generation)), generation);
        Ok(Box::new(self.call.change(decision, head).with_token(seat, token)))
    }

    fn grant(&self, seat: Seat, generation: u32) -> TokenGrant<'_> {
        TokenGrant { match_id: self.call.match_id, seat, generation, secret: &self.secret }
    }

    /// Returns whether the seat's newest token derives from the secret of this call.
    fn proves_secret(&self, access: &AccessControl, registration: &Registration, seat: Seat) -> bool {
        let Some(SeatToken { generation, .. }) = registration.tokens.get(seat) else { return false };
        !access.repeated_token(registration, &self.grant(seat, *generation)).is_empty()
    }
}

/// Refuses rotations beyond the limit of the caller, for a seat whose newest token has this generation. The
/// owner keeps some for itself, so that a stranger with the seat's token cannot use up all of them.
fn check_number(party: Party, generation: u32) -> Result<(), Refusal> {
    let limit = if party.is_owner() { MAX_ROTATIONS } else { SEAT_ROTATIONS };
    if generation <= limit {
        return Ok(());
    }
    let what_to_do =
        if party.is_owner() { "" } else { "; the match's owner may replace it a few more times" };
    let message = format!("the seat's token was replaced {limit} times, as often as allowed{what_to_do}");
    Err(Refusal::new(ErrorReason::TooManyRotations, message).with("limit", limit))
}

fn check_may_rotate(party: Party, seat: Seat) -> Result<(), Refusal> {
    if party.is_owner() || party.seat() == Some(seat) {
        return Ok(());
    }
    if party.is_anonymous() {
        return Err(Refusal::new(
            ErrorReason::MissingToken,
            "this call requires the seat's token, sent as `matchbook-seat-token: TOKEN`, or the owner's \
             API key, sent as `authorization: Bearer KEY`",
        ));
    }
    Err(Refusal::not_allowed(
        &[Needed::SeatToken, Needed::OwnerKey],
        "only the seat itself or the API key that owns the match can replace its token; send one of them",
    ))
}
