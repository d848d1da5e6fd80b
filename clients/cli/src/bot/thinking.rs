//! Choosing a move: fetches what the seat may see and leaves the choice to the crate `bots`.

use bots::{Evaluation, Knowledge, Memory, choose, evaluate};
use matchbook_client::SeatClient;
use rand_chacha::ChaCha8Rng;
use replay::{seat_from_wire, side_of_seat};
use rules::Side;
use wire::v1::{ListEventsRequest, Move};

use crate::failure::Failure;

/// Maximum page size of the service.
const PAGE_SIZE: u32 = 500;
/// Maximum length of the service's lists of legal moves.
const MAX_LEGAL_MOVES: u32 = 10_000;

/// A bot's result for one position.
pub(crate) enum Thought {
    /// The best move, at the position after event `seq`.
    Move { chosen: Move, seq: u32 },
    /// The seat is not to move.
    NotToMove,
    /// No move could be evaluated.
    Undecided,
}

/// Fetches the newest position and chooses a move.
pub(crate) async fn think(
    memory: &mut Memory,
    client: &SeatClient,
    seat: u32,
    rng: &mut ChaCha8Rng,
) -> Result<Thought, Failure> {
    catch_up(memory, client).await?;
    match memory.state() {
        Some((state, seq)) => {
            let acting = side(seat).filter(|side| state.to_act().contains(*side));
            let Some(acting) = acting else { return Ok(Thought::NotToMove) };
            let chosen = choose(Knowledge::Complete(state), acting, rng);
            Ok(chosen.map_or(Thought::Undecided, |chosen| Thought::Move { chosen, seq }))
        }
        None => think_from_view(client, seat, rng).await,
    }
}

/// Evaluates the newest position; `None` if the bot knows too little.
pub(crate) async fn assess(
    memory: &mut Memory,
    client: &SeatClient,
    seat: u32,
) -> Result<Option<Evaluation>, Failure> {
    catch_up(memory, client).await?;
    let Some(seat) = side(seat) else { return Ok(None) };
    if let Some((state, _)) = memory.state() {
        return Ok(evaluate(Knowledge::Complete(state), seat));
    }
    let view = client.view().await?.view.and_then(|view| view.game_view);
    Ok(view.and_then(|view| evaluate(Knowledge::Partial { view: &view, moves: &[] }, seat)))
}

/// Returns the side of a seat in the rules, for which bots choose.
fn side(seat: u32) -> Option<Side> {
    seat_from_wire(seat).and_then(side_of_seat)
}

async fn catch_up(memory: &mut Memory, client: &SeatClient) -> Result<(), Failure> {
    while let Some(after_seq) = memory.last_seq() {
        let request = ListEventsRequest {
            match_id: client.match_id().to_owned(),
            after_seq,
            page_size: PAGE_SIZE,
            ..ListEventsRequest::default()
        };
        let page = client.client().list_events(request).await?;
        page.events.iter().for_each(|event| memory.observe(event));
        if page.events.last().is_none_or(|last| last.seq >= page.head_seq) {
            return Ok(());
        }
    }
    Ok(())
}

async fn think_from_view(client: &SeatClient, seat: u32, rng: &mut ChaCha8Rng) -> Result<Thought, Failure> {
    let listed = client.legal_moves(MAX_LEGAL_MOVES).await?;
    let moves: Vec<Move> = listed.moves.into_iter().filter_map(|listed| listed.r#move).collect();
    if moves.is_empty() {
        let complete = listed.unlisted_families.is_empty();
        return Ok(if complete { Thought::NotToMove } else { Thought::Undecided });
    }
    // The position of the listed moves, even if more has happened since.
    let view = client.view_at(listed.seq).await?.view.and_then(|view| view.game_view);
    let chosen = view
        .zip(side(seat))
        .and_then(|(view, seat)| choose(Knowledge::Partial { view: &view, moves: &moves }, seat, rng));
    Ok(chosen.map_or(Thought::Undecided, |chosen| Thought::Move { chosen, seq: listed.seq }))
}
