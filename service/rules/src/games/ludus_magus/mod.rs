//! Ludus Magus: the contract, delegating. The rules are paragraphs LM-1 to LM-51.

mod arts;
mod board;
mod check;
mod choices;
mod effects;
mod ending;
mod history;
mod legal;
mod moves;
mod offer;
mod options;
mod piece;
mod place;
mod play;
mod position;
mod reach;
mod set;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod ways;

use alloc::string::String;
use alloc::vec::Vec;

use crate::game::{Game, Played};
use crate::{
    BadAnswer, BadOption, BySeat, Dice, Ending, GameInfo, Illegal, Listing, Seat, Seats, Seed, Step,
    Unreadable, Viewer,
};

pub use ending::Reason;
pub use legal::perft;
pub use moves::Move;
pub use options::Options;
pub use piece::{Kind, Piece};
pub use place::{Place, Plane};
pub use play::Fact;
pub use state::State;
pub use view::View;

/// The game; seat 0 is White, seat 1 is Black.
#[derive(Clone, Copy, Debug)]
pub struct LudusMagus;

impl Game for LudusMagus {
    const INFO: GameInfo = GameInfo {
        id: "ludus-magus",
        title: "Ludus Magus",
        summary: "Two magi and their Elements on two interlocked boards; capture the other Magus, or bind it.",
        rules_version: state::RULES_VERSION,
        seat_names: BySeat::new("White", "Black"),
        simultaneous: false,
        secrets: false,
        chance: false,
        options: &options::TABLE,
        structured_options: &options::STRUCTURED,
        rules_text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/ludus-magus.md")),
    };

    const REASONS: &'static [Reason] = &Reason::ALL;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Fact = Fact;
    type View = View;
    type Reason = Reason;

    // Without chance the seed is ignored (G-5).
    fn setup(options: &Options, _seed: &Seed) -> Result<State, BadOption> {
        options.check()?;
        Ok(State::opening(options))
    }

    fn to_act(state: &State) -> Seats {
        legal::to_act(state)
    }

    fn legal(state: &State, seat: Seat) -> Listing<Move> {
        legal::listing(state, seat)
    }

    fn choices(state: &State, seat: Seat, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        choices::choices(state, seat, path)
    }

    fn play(state: &State, seat: Seat, made: &Move) -> Result<Played<Self>, Illegal> {
        play::play(state, seat, *made)
    }

    fn ending(state: &State) -> Option<Ending<Reason>> {
        state.ending
    }

    fn reason_word(reason: Reason) -> &'static str {
        reason.as_str()
    }

    fn view(state: &State, _viewer: Viewer) -> View {
        view::view(state)
    }

    // Nothing in this game is hidden from anybody.
    fn fact_seen(fact: &Fact, _viewer: Viewer) -> Option<Fact> {
        Some(*fact)
    }

    fn print_move(made: &Move) -> String {
        moves::print(*made)
    }

    fn parse_move(text: &str) -> Result<Move, Unreadable> {
        moves::parse(text)
    }

    fn canonical(state: &State) -> Vec<u8> {
        state.canonical()
    }

    fn sample(state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        legal::sample(state, seat, dice)
    }
}
