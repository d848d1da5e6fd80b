//! `ListLegalMoves`: the moves that a seat can make now.

use rules::{Listing, Move, Seat};
use wire::v1::{self as proto, ErrorReason};

use crate::access::{Party, not_your_seat};
use crate::live::LiveHead;
use crate::preconditions::check_min_seq;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a seat's legal moves in the game's fixed order; none if the seat is not to act.
    pub async fn list_legal_moves(
        &self,
        caller: &Caller,
        request: proto::ListLegalMovesRequest,
    ) -> Result<proto::ListLegalMovesResponse, Refusal> {
        let limit = fields::legal_moves(request.limit);
        let head = self.matches.current(fields::match_id(&request.match_id)?).await?;
        let seat = listed_seat(self.access.party(caller, &head)?, &head, request.seat)?;
        check_min_seq(fields::seq(request.min_seq), &head)?;
        let listing = match head.position.running_state() {
            Some(state) => state.legal(seat),
            None => Listing { moves: Vec::new(), unlisted_families: Vec::new() },
        };
        Ok(response(&head, seat, &listing, limit))
    }
}

/// Returns the seat to list the moves of. In a game with secrets, a seat's moves reveal them (G-6).
fn listed_seat(party: Party, head: &LiveHead, seat: Option<u32>) -> Result<Seat, Refusal> {
    let own = party.seat();
    let named = seat.map(|seat| fields::seat("seat", Some(seat))).transpose()?;
    let secrets = head.position.game().info().secrets;
    match (named, own) {
        (None, Some(own)) => Ok(own),
        (Some(named), Some(own)) if named == own => Ok(named),
        (Some(named), _) if !secrets => Ok(named),
        (Some(_), Some(_)) => Err(not_your_seat("the list of moves")),
        (None, None) if !secrets => {
            Err(Refusal::field("seat", "must be set unless the call has a seat's token"))
        }
        (_, None) => Err(Refusal::new(
            ErrorReason::MissingToken,
            "this game has secrets, so listing moves requires the seat's token; send `authorization: Bearer \
             TOKEN`",
        )),
    }
}

fn response(
    head: &LiveHead,
    seat: Seat,
    listing: &Listing<Move>,
    limit: u32,
) -> proto::ListLegalMovesResponse {
    let moves: Vec<_> = (0..limit)
        .zip(&listing.moves)
        .map(|(index, legal_move)| proto::LegalMove {
            index,
            r#move: Some(replay::move_to_wire(legal_move)),
            notation: legal_move.print(),
        })
        .collect();
    let all = moves.len() == listing.moves.len();
    proto::ListLegalMovesResponse {
        seq: head.seq().0,
        seat: replay::seat_to_wire(seat),
        moves,
        unlisted_families: listing.unlisted_families.iter().map(|&family| family.to_owned()).collect(),
        complete: all && listing.is_complete(),
        total: listing.is_complete().then(|| u32::try_from(listing.moves.len()).unwrap_or(u32::MAX)),
    }
}
