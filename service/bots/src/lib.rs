//! Chooses moves from what a seat may see. Pure: no clock, no I/O, no connection; randomness comes from the
//! caller, and so does what the seat may see: the whole position where nothing is hidden, which [`choose`]
//! searches, elsewhere the seat's view and legal moves.

mod evaluation;
mod games;
mod lookahead;
mod random;

use rand_chacha::ChaCha8Rng;
use replay::move_to_wire;
use rules::{Side, State};
use wire::v1::{GameView, Move, game_view, r#move};

use crate::games::{ace_exorcist, angels_and_demons, cresnovian_chess, ludus_magus};
use crate::random::pick;

pub use evaluation::{Evaluation, evaluate};

/// What a seat knows when it is to move.
#[derive(Clone, Copy)]
pub enum Knowledge<'a> {
    /// The whole state, in a game without hidden information.
    Complete(&'a State),
    /// The seat's own view and its legal moves, in the other games.
    Partial {
        /// The position as the seat may see it.
        view: &'a GameView,
        /// The moves to choose from, all legal in that position.
        moves: &'a [Move],
    },
}

/// Returns the move with the best prospects, or `None` if no move can be evaluated.
///
/// Among equally good moves `rng` decides.
pub fn choose(knowledge: Knowledge<'_>, seat: Side, rng: &mut ChaCha8Rng) -> Option<Move> {
    match knowledge {
        Knowledge::Complete(state) => match state {
            State::LudusMagus(_) => lookahead::best_move(state, seat, &ludus_magus::HEURISTIC, rng),
            State::CresnovianChess(_) => lookahead::best_move(state, seat, &cresnovian_chess::HEURISTIC, rng),
            // No player knows the state of a game with hidden information.
            State::AceExorcist(_) | State::AngelsAndDemons(_) | State::Other(_) => None,
        }
        .map(|made| move_to_wire(&made)),
        Knowledge::Partial { view, moves } => match view.game.as_ref()? {
            game_view::Game::AceExorcist(view) => best_scored(moves, rng, 0, |made| match &made.game {
                Some(r#move::Game::AceExorcist(made)) => ace_exorcist::score(view, seat, made),
                _ => None,
            }),
            game_view::Game::AngelsAndDemons(view) => {
                let gains = angels_and_demons::ExpectedGains::new(view, seat);
                best_scored(moves, rng, angels_and_demons::MARGIN, |made| match &made.game {
                    Some(r#move::Game::AngelsAndDemons(made)) => gains.score(made),
                    _ => None,
                })
            }
            // These need the complete state.
            game_view::Game::LudusMagus(_) | game_view::Game::CresnovianChess(_) => None,
        },
    }
}

/// Returns one of the moves that score within `margin` of the highest, at random.
fn best_scored(
    moves: &[Move],
    rng: &mut ChaCha8Rng,
    margin: i32,
    score: impl Fn(&Move) -> Option<i32>,
) -> Option<Move> {
    let scored: Vec<(i32, &Move)> =
        moves.iter().filter_map(|made| score(made).map(|score| (score, made))).collect();
    let highest = scored.iter().map(|(score, _)| *score).max()?;
    let best: Vec<&Move> =
        scored.into_iter().filter(|(score, _)| *score >= highest - margin).map(|(_, made)| made).collect();
    best.get(pick(best.len(), rng)).map(|made| (*made).clone())
}
