//! Sticky Cresnovian Chess: implements the contract by delegation. Its rules are paragraphs CC-1 to CC-90.

mod actions;
mod choices;
mod effects;
mod ending;
mod facts;
mod field;
mod legal;
mod moves;
mod notation;
mod options;
mod play;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod violation;

use alloc::string::String;
use alloc::vec::Vec;

use crate::{
    BadAnswer, BadNotation, BadOption, BySide, Dice, Ending, Game, GameInfo, Illegal, Listing, Played, Seed,
    Side, Sides, Viewer,
};

pub use ending::Reason;
pub use facts::{Cost, Fact};
pub use field::poem::{Poem, PoemChange, Word};
pub use field::square::{Direction, Kingdom, Square, SquareSet};
pub use field::umbration::{Ability, PieceSet, Umbration};
pub use field::{Condition, Piece, Status};
pub use moves::{Basic, Elite, Flaw, Flock, Move, Performance, TectonicStep};
pub use options::Options;
pub use state::{Deed, State};
pub use view::{FieldView, Phase, Undo, View};

/// Sticky Cresnovian Chess. Seat 0 is Player One, seat 1 is Player Two.
#[derive(Clone, Copy, Debug)]
pub struct CresnovianChess;

impl Game for CresnovianChess {
    const INFO: GameInfo = GameInfo {
        id: "cresnovian-chess",
        title: "Sticky Cresnovian Chess",
        summary: "Nine pieces that nobody owns travel, perform and write a poem until one kingdom \
                  has no Q left.",
        rules_version: state::RULES_VERSION,
        seat_names: BySide::new("Player One", "Player Two"),
        simultaneous: false,
        secrets: false,
        chance: false,
        options: &options::TABLE,
        rules_text: include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/rules/cresnovian-chess.md"
        )),
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
        Ok(State::opening(*options, rules_version))
    }

    fn to_act(state: &State) -> Sides {
        legal::to_act(state)
    }

    fn legal(state: &State, seat: Side) -> Listing<Move> {
        legal::listing(state, seat)
    }

    fn choices(state: &State, seat: Side, path: &[String]) -> Result<crate::Step<Move>, BadAnswer> {
        choices::choices(state, seat, path)
    }

    fn play(state: &State, seat: Side, mv: &Move) -> Result<Played<State, Fact>, Illegal> {
        play::play(state, seat, mv)
    }

    fn ending(state: &State) -> Option<Ending<Reason>> {
        ending::ending(state)
    }

    fn reason_word(reason: Reason) -> &'static str {
        reason.as_str()
    }

    // Everything is public (CC-7).
    fn view(state: &State, _viewer: Viewer) -> View {
        view::view(state)
    }

    fn redact_fact(fact: &Fact, _viewer: Viewer) -> Option<Fact> {
        Some(fact.clone())
    }

    fn print_move(mv: &Move) -> String {
        notation::print(mv)
    }

    fn parse_move(text: &str) -> Result<Move, BadNotation> {
        notation::parse(text)
    }

    fn canonical(state: &State) -> Vec<u8> {
        state.canonical()
    }

    fn sample(state: &State, seat: Side, dice: &mut Dice) -> Option<Move> {
        choices::sample::sample(state, seat, dice)
    }
}
