//! Which move a bot makes, from what its seat may know. One file a game, pure:
//! nothing here calls the service.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod lookahead;
mod ludus_magus;
#[cfg(test)]
mod matches;
mod standing;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng as _;
use replay::{Seat, State, move_to_wire};
use wire::v1::{GameView, Move, game_view, r#move};

pub(crate) use standing::{Standing, standing};

/// How a bot chooses its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Skill {
    /// Any legal move, drawn by the service.
    Random,
    /// The move after which its seat stands best, as far as it can see.
    #[default]
    Greedy,
}

/// What `--help` says of the skills.
pub(crate) const SKILLS: &str = "\
Skills of bots:
  greedy  what looks best one move ahead. Ludus Magus, Cresnovian Chess: tries
          moves, and the answers to the best of them; prefers pieces, mana and
          nearness to the enemy Magus, or Q in its own kingdom. Ace Exorcist:
          by its own hand and the table alone; prefers rituals, damage, cards
          kept, guards that save much. Angels and Demons: one of the spaces
          that gain most against likely choices. Among equals it draws lots
  random  any legal move";

/// What a seat may know when it is to move.
pub(crate) enum Known<'a> {
    /// The whole position, in a game without secrets.
    Everything(&'a State),
    /// In the other games: the seat's own view, and its legal moves.
    Own { view: &'a GameView, moves: &'a [Move] },
}

/// The move that a greedy bot makes; none if it knows of no move to judge.
pub(crate) fn choose(known: &Known<'_>, seat: Seat, lots: &mut ChaCha8Rng) -> Option<Move> {
    match known {
        Known::Everything(state) => match state {
            State::LudusMagus(_) => lookahead::best(state, seat, &ludus_magus::EYE, lots),
            State::CresnovianChess(_) => lookahead::best(state, seat, &cresnovian_chess::EYE, lots),
            // They have secrets: nobody at the table knows their state.
            State::AceExorcist(_) | State::AngelsAndDemons(_) => None,
        }
        .map(|made| move_to_wire(&made)),
        Known::Own { view, moves } => match view.game.as_ref()? {
            game_view::Game::AceExorcist(view) => best(moves, lots, 0, |made| match &made.game {
                Some(r#move::Game::AceExorcist(made)) => ace_exorcist::score(view, seat, made),
                _ => None,
            }),
            game_view::Game::AngelsAndDemons(view) => {
                let hopes = angels_and_demons::Hopes::of(view, seat);
                best(moves, lots, angels_and_demons::MARGIN, |made| match &made.game {
                    Some(r#move::Game::AngelsAndDemons(made)) => hopes.score(made),
                    _ => None,
                })
            }
            // Without secrets they are judged from the whole position.
            game_view::Game::LudusMagus(_) | game_view::Game::CresnovianChess(_) => None,
        },
    }
}

/// One of the moves whose score is within the margin of the highest, by lot.
fn best(
    moves: &[Move],
    lots: &mut ChaCha8Rng,
    margin: i32,
    score: impl Fn(&Move) -> Option<i32>,
) -> Option<Move> {
    let scored: Vec<(i32, &Move)> =
        moves.iter().filter_map(|made| score(made).map(|score| (score, made))).collect();
    let highest = scored.iter().map(|(score, _)| *score).max()?;
    let equals: Vec<&Move> =
        scored.into_iter().filter(|(score, _)| *score >= highest - margin).map(|(_, made)| made).collect();
    equals.get(lot(equals.len(), lots)).map(|made| (*made).clone())
}

/// A number below the count, by lot; 0 if there is none.
fn lot(count: usize, lots: &mut ChaCha8Rng) -> usize {
    let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
    // So few of 2^64 numbers favour the low ones that nobody will notice.
    usize::try_from(lots.next_u64() % count).unwrap_or_default()
}

/// Puts the items in an order by lot.
fn shuffle<T>(items: &mut [T], lots: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, lot(last + 1, lots));
    }
}
