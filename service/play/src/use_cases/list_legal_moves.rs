//! `ListLegalMoves`: what a seat can do now.

use rules::{Listing, Seat, State};
use wire::v1::{self as proto, ErrorReason};

use crate::access::{self, Party};
use crate::live::Head;
use crate::{Caller, Play, Refusal, fields, judge, limits};

impl Play {
    /// The moves of a seat in the game's fixed order; none while it is not to act.
    pub async fn list_legal_moves(
        &self,
        caller: &Caller,
        request: proto::ListLegalMovesRequest,
    ) -> Result<proto::ListLegalMovesResponse, Refusal> {
        let limit = limits::count("limit", request.limit, limits::LEGAL_MOVES)?;
        let (_, head) = self.fresh(fields::match_id(&request.match_id)?).await?;
        let seat = seat_asked(access::party(&self.keys, caller, &head)?, &head, request.seat)?;
        judge::check_min(request.min_seq, &head)?;
        let listing = match head.position.running_state() {
            Some(state) => state.legal(seat),
            None => Listing { moves: Vec::new(), unlisted_families: Vec::new() },
        };
        Ok(answer(&head, seat, &listing, limit))
    }
}

/// In a game with secrets a seat's moves tell of its secrets (G-6).
fn seat_asked(party: Party, head: &Head, seat: Option<i32>) -> Result<Seat, Refusal> {
    let own = party.seat();
    let asked = seat.map(|seat| fields::seat("seat", seat)).transpose()?;
    let secrets = head.position.game().info().secrets;
    match (asked, own) {
        (None, Some(own)) => Ok(own),
        (Some(asked), Some(own)) if asked == own => Ok(asked),
        (Some(asked), _) if !secrets => Ok(asked),
        (Some(_), Some(_)) => Err(access::not_your_seat("the list of moves")),
        (None, None) if !secrets => {
            Err(Refusal::field("seat", "must be named when the call has no seat's token"))
        }
        (_, None) => Err(Refusal::new(
            ErrorReason::MissingToken,
            "this game has secrets: a seat's moves need its token as `authorization: Bearer TOKEN`",
        )),
    }
}

fn answer(
    head: &Head,
    seat: Seat,
    listing: &Listing<rules::Move>,
    limit: u32,
) -> proto::ListLegalMovesResponse {
    let moves: Vec<_> = (0..limit)
        .zip(&listing.moves)
        .map(|(index, made)| proto::LegalMove {
            index,
            r#move: Some(replay::move_to_wire(made)),
            notation: made.print(),
        })
        .collect();
    let truncated = moves.len() < listing.moves.len();
    proto::ListLegalMovesResponse {
        seq: head.seq(),
        seat: replay::seat_to_wire(seat).into(),
        moves,
        unlisted_families: listing.unlisted_families.iter().map(|&family| family.to_owned()).collect(),
        truncated,
        complete: !truncated && listing.is_complete(),
        total: listing.is_complete().then(|| u32::try_from(listing.moves.len()).unwrap_or(u32::MAX)),
    }
}

/// The running state for a call of a seat that must be to act.
pub(super) fn state_to_act(head: &Head, seat: Seat) -> Result<&State, Refusal> {
    let state = judge::running(head)?;
    judge::check_to_act(state, seat)?;
    Ok(state)
}
