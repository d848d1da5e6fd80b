//! `CreateRematch`: a new match with seats swapped. A match has one rematch, whichever seat asks first.

use journal::Registered;
use replay::{MatchPhase, StartingPosition};
use rules::Seat;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::creation::{Creation, MatchSpec};
use crate::access::{ClaimSecret, Party};
use crate::live::LiveHead;
use crate::registration::match_shown;
use crate::requests::{RequestHash, fields};
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns the rematch of a match that is over, creating it if necessary, and the caller's seat in it.
    pub async fn create_rematch(
        &self,
        caller: &Caller,
        request: proto::CreateRematchRequest,
    ) -> Result<proto::CreateRematchResponse, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let request_id = fields::request_id(request.request_id.as_deref())?;
        let secret = ClaimSecret::read("claim_secret", request.claim_secret.as_deref(), self.secret())?;
        let parent = self.matches.current(match_id).await?;
        let seat = requesting_seat(self.access.party(caller, &parent)?)?;
        if !matches!(parent.position.phase(), MatchPhase::Over(_)) {
            let message = "the match is not over; create the rematch after its end";
            return Err(Refusal::new(ErrorReason::MatchNotOver, message));
        }
        let play = self.clone();
        self.detached(match_id, async move { play.rematch(&parent, seat, request_id, secret).await }).await
    }

    async fn rematch(
        &self,
        parent: &LiveHead,
        seat: Option<Seat>,
        request_id: Option<Uuid>,
        secret: ClaimSecret,
    ) -> Result<proto::CreateRematchResponse, Refusal> {
        let position = &parent.position;
        let spec = spec(parent);
        let given = spec.registered.clone();
        let (rematch, shown) = match self.create(self.new_match_id(&given), spec).await? {
            Creation::New(position) => (position.match_id(), match_shown(&given, &position)),
            Creation::Existing(head) => (head.match_id(), head.match_shown_at(&head.position)),
        };
        let swapped = seat.map(Seat::other);
        let seat_number = swapped.map(replay::seat_to_wire);
        let name = seat.and_then(|seat| position.seating(seat)).map(|seating| seating.player_name.clone());
        // In a game with chance the players claim their seats after they have seen the seed's commitment.
        let (Some(swapped), Some(name), false) = (swapped, name, position.game().info().chance) else {
            return Ok(proto::CreateRematchResponse {
                r#match: Some(shown),
                seat: seat_number,
                seat_token: String::new(),
            });
        };
        let claim = self.claim_in_rematch(rematch, swapped, name, request_id, secret);
        let claimed = self.claim(claim).await?;
        Ok(proto::CreateRematchResponse {
            r#match: claimed.r#match,
            seat: seat_number,
            seat_token: claimed.seat_token,
        })
    }
}

fn spec(parent: &LiveHead) -> MatchSpec {
    let position = &parent.position;
    MatchSpec {
        start: StartingPosition::Opening {
            options: position.options().clone(),
            rematch_of: Some(position.match_id()),
        },
        visibility: position.visibility(),
        control: position.clock_settings().map(|settings| settings.control),
        // Not the caller's request, since both seats must get the same match.
        registered: Registered::new(
            parent.registration.registered.owner.clone(),
            Some(RequestHash::of_rematch(parent.match_id()).0),
        ),
        claim: None,
    }
}

/// Returns the seat that a player asks for; an owner without a seat asks for the match only.
fn requesting_seat(party: Party) -> Result<Option<Seat>, Refusal> {
    if party.seat().is_none() && !party.is_owner() {
        return Err(Refusal::new(
            ErrorReason::MissingToken,
            "a rematch requires a seat's token of the match, sent as `matchbook-seat-token: TOKEN`, or the \
             API key that created it, sent as `authorization: Bearer KEY`",
        ));
    }
    Ok(party.seat())
}
