//! Two-ply search in games without hidden information: each candidate move, and the replies to the best of
//! them. What a position is worth is the game's heuristic.

use rand_chacha::ChaCha8Rng;
use rules::{Move, Side, State};

use crate::random::shuffle;

/// More than any running position is worth.
const WON: i32 = 1_000_000;
/// Maximum number of candidates whose replies are searched.
const SEARCHED: usize = 16;

/// How a game is evaluated.
pub(crate) struct Heuristic {
    /// The worth of a running position to a seat; positive if it is ahead.
    pub(crate) worth: fn(&State, Side) -> i32,
    /// The moves to try, bounded in number, in any order.
    pub(crate) candidates: fn(&State, Side, &mut ChaCha8Rng) -> Vec<Move>,
}

/// A move and the position after it.
struct Candidate {
    made: Move,
    after: State,
    worth: i32,
}

/// Returns the move whose best reply leaves the seat best; a random one of equals. `None` if there is no
/// candidate.
pub(crate) fn best_move(
    state: &State,
    seat: Side,
    heuristic: &Heuristic,
    rng: &mut ChaCha8Rng,
) -> Option<Move> {
    let mut candidates = candidates(state, seat, heuristic, rng);
    // Equals stay in random order: the sort is stable.
    shuffle(&mut candidates, rng);
    candidates.sort_by_key(|candidate| -candidate.worth);
    candidates.truncate(SEARCHED);
    let mut best: Option<(i32, Move)> = None;
    for Candidate { made, after, worth } in candidates {
        let to_beat = best.as_ref().map_or(i32::MIN, |(worth, _)| *worth);
        let worth = worth_after_reply(&after, worth, seat, heuristic, to_beat, rng);
        if worth > to_beat {
            best = Some((worth, made));
        }
    }
    best.map(|(_, made)| made)
}

/// Returns the worth of a position after the next move: the opponent's or, where the seat moves twice, its
/// own. The search is cut as soon as the worth cannot exceed `to_beat`.
fn worth_after_reply(
    after: &State,
    worth: i32,
    seat: Side,
    heuristic: &Heuristic,
    to_beat: i32,
    rng: &mut ChaCha8Rng,
) -> i32 {
    let Some(next) = after.to_act().iter().next() else { return worth };
    let worths = (heuristic.candidates)(after, next, rng).into_iter().filter_map(|made| {
        let played = after.play(next, &made).ok()?;
        Some(worth_of(&played.state, seat, heuristic))
    });
    if next == seat {
        return worths.max().unwrap_or(worth);
    }
    let mut worst = i32::MAX;
    for reply in worths {
        worst = worst.min(reply);
        if worst <= to_beat {
            break;
        }
    }
    if worst == i32::MAX { worth } else { worst }
}

fn candidates(state: &State, seat: Side, heuristic: &Heuristic, rng: &mut ChaCha8Rng) -> Vec<Candidate> {
    let moves = (heuristic.candidates)(state, seat, rng).into_iter();
    let candidates = moves.filter_map(|made| {
        let after = state.play(seat, &made).ok()?.state;
        let worth = worth_of(&after, seat, heuristic);
        Some(Candidate { made, after, worth })
    });
    candidates.collect()
}

fn worth_of(state: &State, seat: Side, heuristic: &Heuristic) -> i32 {
    match state.ending().map(|ending| ending.winner) {
        None => (heuristic.worth)(state, seat),
        Some(None) => 0,
        Some(Some(winner)) if winner == seat => WON,
        Some(Some(_)) => -WON,
    }
}
