//! Ludus Magus: implements the contract by delegation. Its rules are paragraphs LM-1 to LM-51.

mod board;
mod check;
mod choices;
mod ending;
mod history;
mod legal;
mod movegen;
mod moves;
mod options;
mod play;
mod position;
mod state;
#[cfg(test)]
mod tests;
mod view;

use alloc::string::String;
use alloc::vec::Vec;

use crate::{
    BadAnswer, BadNotation, BadOption, BySide, Dice, Ending, Game, GameInfo, Illegal, Listing, Played, Seed,
    Side, Sides, Step, Viewer,
};

pub use board::piece::{Kind, Piece};
pub use board::place::{Place, Plane};
pub use ending::Reason;
pub use legal::perft;
pub use moves::Move;
pub use options::Options;
pub use play::Fact;
pub use state::State;
pub use view::View;

/// Ludus Magus. Seat 0 is White, seat 1 is Black.
#[derive(Clone, Copy, Debug)]
pub struct LudusMagus;

impl Game for LudusMagus {
    const INFO: GameInfo = GameInfo {
        id: "ludus-magus",
        title: "Ludus Magus",
        summary: "Two magi and their Elements on two interlocked boards; capture the other Magus, \
                  or bind it.",
        rules_version: state::RULES_VERSION,
        seat_names: BySide::new("White", "Black"),
        simultaneous: false,
        secrets: false,
        chance: false,
        options: &options::TABLE,
        rules_text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/ludus-magus.md")),
    };

    const REASONS: &'static [Reason] = &Reason::ALL;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Fact = Fact;
    type View = View;
    type Reason = Reason;

    // A game without chance ignores the seed (G-5).
    fn opening(options: &Options, rules_version: u32, _seed: &Seed) -> Result<State, BadOption> {
        options.check()?;
        Ok(State::opening(options, rules_version))
    }

    fn to_act(state: &State) -> Sides {
        legal::to_act(state)
    }

    fn legal(state: &State, seat: Side) -> Listing<Move> {
        legal::listing(state, seat)
    }

    fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        choices::choices(state, seat, path)
    }

    fn play(state: &State, seat: Side, mv: &Move) -> Result<Played<State, Fact>, Illegal> {
        play::play(state, seat, *mv)
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

    // Nothing in this game is hidden.
    fn redact_fact(fact: &Fact, _viewer: Viewer) -> Option<Fact> {
        Some(*fact)
    }

    fn print_move(mv: &Move) -> String {
        moves::print(*mv)
    }

    fn parse_move(text: &str) -> Result<Move, BadNotation> {
        moves::parse(text)
    }

    fn canonical(state: &State) -> Vec<u8> {
        state.canonical()
    }

    fn sample(state: &State, seat: Side, dice: &mut Dice) -> Option<Move> {
        legal::sample(state, seat, dice)
    }
}
