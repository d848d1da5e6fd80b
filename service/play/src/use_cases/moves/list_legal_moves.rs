//! `ListLegalMoves`: the moves that a seat can make now.

use event::{Seat, Seq};
use replay::GameState;
use rules::{Dice, Listing, Move, Seed};
use wire::v1::{self as proto, ErrorReason};

use crate::access::{Party, not_your_seat};
use crate::keys::sha256;
use crate::live::LiveHead;
use crate::preconditions::{check_expected, check_min_seq, stale_position};
use crate::requests::{ListTokens, Page, fields};
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a page of a seat's legal moves in the game's fixed order; none if the seat is not to act.
    pub async fn list_legal_moves(
        &self,
        caller: &Caller,
        request: proto::ListLegalMovesRequest,
    ) -> Result<proto::ListLegalMovesResponse, Refusal> {
        let head = self.current(caller, fields::match_id(&request.match_id)?).await?;
        let seat = listed_seat(self.access.party(caller, &head)?, &head, request.seat)?;
        check_min_seq(fields::seq(request.min_seq), &head)?;
        let listing = match head.position.running_state() {
            Some(state) => listing(&head, state, seat),
            None => Listing { moves: Vec::new(), unlisted_families: Vec::new() },
        };
        let tokens = self.page_tokens.of("ListLegalMoves", &without_page(&request, seat));
        let continued = continued(&request.page_token, &tokens, &head)?;
        let from = continued.map_or(0, |(_, index)| index);
        let page = Page::of(&listing.moves, from, fields::legal_moves(request.page_size));
        match continued {
            // A token says that more moves follow: the seat has chosen since.
            Some((seq, _)) if page.items.is_empty() => Err(stale_position(&head, seq)),
            _ => Ok(response(&head, seat, &listing, &page, &tokens)),
        }
    }
}

/// Returns a seat's legal moves. If all are in families too large to list, one of them stands for the others,
/// the same whenever this position is listed: a seat to act always gets a move.
fn listing(head: &LiveHead, state: &GameState, seat: Seat) -> Listing<Move> {
    let mut listing = state.legal(seat);
    if listing.moves.is_empty() && !listing.is_complete() {
        let (id, seq) = (head.match_id().0, head.seq().0.to_be_bytes());
        let seed = Seed::new(sha256(&[b"matchbook.example.v1\0", id.as_bytes(), &seq]));
        listing.moves.extend(state.sample(seat, &mut Dice::new(&seed)));
    }
    listing
}

/// Returns the request without its page, with the seat that it means.
fn without_page(request: &proto::ListLegalMovesRequest, seat: Seat) -> proto::ListLegalMovesRequest {
    let seat = Some(replay::seat_to_wire(seat));
    proto::ListLegalMovesRequest { seat, page_size: 0, page_token: String::new(), ..request.clone() }
}

/// Returns the seat to list the moves of. In a game with secrets, a seat's moves reveal them (G-6).
fn listed_seat(party: Party, head: &LiveHead, seat: Option<u32>) -> Result<Seat, Refusal> {
    let own = party.seat();
    let named = seat.map(|seat| fields::seat("seat", Some(seat), head.position.seat_count())).transpose()?;
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
            "this game has secrets, so listing moves requires the seat's token; send \
             `matchbook-seat-token: TOKEN`",
        )),
    }
}

/// Returns the position that a page token continues, and the index of the page's first move.
fn continued(token: &str, tokens: &ListTokens<'_>, head: &LiveHead) -> Result<Option<(Seq, u32)>, Refusal> {
    let Some([a, b, c, d, index @ ..]) = tokens.decode::<8>(token)? else { return Ok(None) };
    let seq = Seq(u32::from_be_bytes([a, b, c, d]));
    check_min_seq(Some(seq), head)?;
    check_expected(Some(seq), head)?;
    Ok(Some((seq, u32::from_be_bytes(index))))
}

fn response(
    head: &LiveHead,
    seat: Seat,
    listing: &Listing<Move>,
    page: &Page<'_, Move>,
    tokens: &ListTokens<'_>,
) -> proto::ListLegalMovesResponse {
    let moves = (page.from..).zip(page.items).map(|(index, legal_move)| proto::LegalMove {
        index,
        r#move: Some(replay::move_to_wire(legal_move)),
        notation: legal_move.print(),
    });
    let position = |next: u32| [head.seq().0.to_be_bytes(), next.to_be_bytes()].concat();
    proto::ListLegalMovesResponse {
        moves: moves.collect(),
        next_page_token: page.next.map(|next| tokens.encode(&position(next))).unwrap_or_default(),
        total_size: listing.is_complete().then(|| u32::try_from(listing.moves.len()).unwrap_or(u32::MAX)),
        unlisted_families: listing.unlisted_families.iter().map(|&family| family.to_owned()).collect(),
        seq: head.seq().0,
        seat: Some(replay::seat_to_wire(seat)),
        complete: page.from == 0 && page.next.is_none() && listing.is_complete(),
    }
}
