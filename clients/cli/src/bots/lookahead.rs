//! One move ahead, and the answers to the best of them, in any game without
//! secrets. What a position is worth is the game's own.

use rand_chacha::ChaCha8Rng;
use replay::{Move, Seat, State};

use super::shuffle;

/// More than any running position is worth.
const WON: i32 = 1_000_000;
/// Moves whose answers are looked at.
const CONSIDERED: usize = 16;

/// How a game is judged.
pub(super) struct Eye {
    /// What a running position is worth to a seat.
    pub(super) worth: fn(&State, Seat) -> i32,
    /// The moves to try, bounded in number, in any order.
    pub(super) moves: fn(&State, Seat, &mut ChaCha8Rng) -> Vec<Move>,
}

/// A move and the position after it.
struct Tried {
    made: Move,
    after: State,
    worth: i32,
}

/// The move whose worst answer leaves the seat best; equals by lot. None if there
/// is no move to try.
pub(super) fn best(state: &State, seat: Seat, eye: &Eye, lots: &mut ChaCha8Rng) -> Option<Move> {
    let mut tried = tries(state, seat, seat, eye, lots);
    // Equals stay in the order of the lots: sorting is stable.
    shuffle(&mut tried, lots);
    tried.sort_by_key(|tried| -tried.worth);
    tried.truncate(CONSIDERED);
    let mut best: Option<(i32, Move)> = None;
    for Tried { made, after, worth } in tried {
        let to_beat = best.as_ref().map_or(i32::MIN, |(worth, _)| *worth);
        let worth = settled(&after, worth, seat, eye, to_beat, lots);
        if worth > to_beat {
            best = Some((worth, made));
        }
    }
    best.map(|(_, made)| made)
}

/// What a position is worth after the next move, the opponent's or, where the seat
/// moves twice, its own. It need not be exact once it can't be above `to_beat`.
fn settled(after: &State, worth: i32, seat: Seat, eye: &Eye, to_beat: i32, lots: &mut ChaCha8Rng) -> i32 {
    let Some(next) = after.to_act().iter().next() else { return worth };
    let worths = (eye.moves)(after, next, lots).into_iter().filter_map(|made| {
        let played = after.play(next, &made).ok()?;
        Some(judged(&played.state, seat, eye))
    });
    if next == seat {
        return worths.max().unwrap_or(worth);
    }
    let mut worst = i32::MAX;
    for answer in worths {
        worst = worst.min(answer);
        if worst <= to_beat {
            break;
        }
    }
    if worst == i32::MAX { worth } else { worst }
}

fn tries(state: &State, mover: Seat, seat: Seat, eye: &Eye, lots: &mut ChaCha8Rng) -> Vec<Tried> {
    let moves = (eye.moves)(state, mover, lots).into_iter();
    let tried = moves.filter_map(|made| {
        let after = state.play(mover, &made).ok()?.state;
        let worth = judged(&after, seat, eye);
        Some(Tried { made, after, worth })
    });
    tried.collect()
}

fn judged(state: &State, seat: Seat, eye: &Eye) -> i32 {
    match state.ending().map(|ending| ending.winner) {
        None => (eye.worth)(state, seat),
        Some(None) => 0,
        Some(Some(winner)) if winner == seat => WON,
        Some(Some(_)) => -WON,
    }
}
