//! Who is to act, the listing of moves, and perft (LM-6, LM-51).

use alloc::vec::Vec;

use super::movegen;
use super::moves::Move;
use super::state::State;
use crate::{Dice, Illegal, Listing, Side, Sides};

/// Returns the seat whose turn it is; none once the match is over.
pub(super) fn to_act(state: &State) -> Sides {
    if state.ending.is_some() { Sides::NONE } else { Sides::only(state.position().to_act) }
}

/// Applies the first two tests of G-2.
pub(super) fn check_to_act(state: &State, seat: Side) -> Result<(), Illegal> {
    if state.ending.is_some() {
        return Err(Illegal::match_over());
    }
    if state.position().to_act != seat {
        return Err(Illegal::not_to_act("it is the other seat's turn"));
    }
    Ok(())
}

/// Lists every legal move, sorted: moves by origin and destination, Terra's movements, Swap, Conjure, Summon.
pub(super) fn listing(state: &State, seat: Side) -> Listing<Move> {
    if !to_act(state).contains(seat) {
        return Listing::complete(Vec::new());
    }
    let mut moves = movegen::moves(state.position());
    moves.sort_unstable();
    Listing::complete(moves)
}

/// Draws a random legal move uniformly.
pub(super) fn sample(state: &State, seat: Side, dice: &mut Dice) -> Option<Move> {
    if !to_act(state).contains(seat) {
        return None;
    }
    movegen::pick(state.position(), |count| dice.below(count))
}

/// Counts the move sequences of this length; a finished match has no continuation (LM-51). The last moves are
/// counted without being made.
#[must_use]
pub fn perft(state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.ending.is_some() {
        return 0;
    }
    if depth == 1 {
        return movegen::count(state.position()).into();
    }
    movegen::moves(state.position()).into_iter().map(|mv| perft(&state.after(mv).0, depth - 1)).sum()
}
