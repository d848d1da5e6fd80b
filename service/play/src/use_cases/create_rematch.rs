//! `CreateRematch`: the same again with seats swapped. There is one rematch of a match, whoever asks first.

use replay::{Origin, Phase};
use rules::Seat;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::open_match::{Opened, Opening};
use crate::access::{self, Party};
use crate::live::Head;
use crate::service_key::sha256;
use crate::{Caller, Play, Refusal, fields};

impl Play {
    /// The rematch of a match that is over, and the caller's seat in it.
    pub async fn create_rematch(
        &self,
        caller: &Caller,
        request: proto::CreateRematchRequest,
    ) -> Result<proto::CreateRematchResponse, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let request_id = fields::request_id(request.request_id.as_deref())?;
        let (_, before) = self.fresh(match_id).await?;
        let seat = asking(access::party(&self.keys, caller, &before)?)?;
        if !matches!(before.position.phase(), Phase::Over(_)) {
            return Err(Refusal::new(ErrorReason::MatchNotOver, "a rematch comes after the match's end"));
        }
        let play = self.clone();
        self.detached(match_id, async move { play.rematch(&before, seat, request_id).await }).await
    }

    async fn rematch(
        &self,
        before: &Head,
        seat: Option<Seat>,
        request_id: Option<Uuid>,
    ) -> Result<proto::CreateRematchResponse, Refusal> {
        let position = &before.position;
        let opening = Opening {
            origin: Origin::Opening {
                options: position.options().clone(),
                rematch_of: Some(position.match_id()),
            },
            visibility: position.visibility(),
            control: position.timing().map(|timing| timing.control),
            owner: before.registration.owner.clone(),
            // Not the caller's id: both seats must come to the same match.
            request_hash: Some(rematch_hash(position.match_id().0)),
            claim: None,
        };
        let rematch = match self.open_match(self.new_match_id(), opening).await? {
            Opened::New(position) => position,
            Opened::Before(head) => head.position.clone(),
        };
        let swapped = seat.map(Seat::other);
        let seat_shown = swapped.map_or(proto::Seat::Unspecified, replay::seat_to_wire).into();
        let name = seat.and_then(|seat| position.sitting(seat)).map(|sitting| sitting.player_name.clone());
        let (Some(swapped), Some(name), false) = (swapped, name, position.game().info().chance) else {
            let shown = Some(rematch.match_shown());
            return Ok(proto::CreateRematchResponse {
                r#match: shown,
                seat: seat_shown,
                seat_token: String::new(),
            });
        };
        let claim = self.plain_claim(rematch.match_id().0, swapped, name, request_id);
        let claimed = self.claim(claim).await?;
        Ok(proto::CreateRematchResponse {
            r#match: claimed.r#match,
            seat: seat_shown,
            seat_token: claimed.seat_token,
        })
    }
}

/// A player asks for a seat, the owner for the match alone.
fn asking(party: Party) -> Result<Option<Seat>, Refusal> {
    match party {
        Party::Seat(seat) => Ok(Some(seat)),
        Party::Owner => Ok(None),
        Party::Anonymous | Party::OtherKey => Err(Refusal::new(
            ErrorReason::MissingToken,
            "a rematch is for the seats of the match, or for the API key that created it",
        )),
    }
}

fn rematch_hash(match_id: Uuid) -> [u8; 32] {
    sha256(&[b"matchbook.rematch.v1\0", match_id.as_bytes()])
}
