//! Angels and Demons: implements the contract by delegation. Its rules are paragraphs AD-1 to AD-10.

mod ending;
mod legal;
mod moves;
mod options;
mod play;
mod state;
#[cfg(test)]
mod tests;
mod view;

use alloc::string::String;
use alloc::vec::Vec;

use crate::{
    BadAnswer, BadNotation, BadOption, BySide, Ending, Game, GameInfo, Illegal, Listing, Played, Seed, Side,
    Sides, Step, Viewer,
};

pub use ending::Reason;
pub use moves::{Move, Space};
pub use options::Options;
pub use play::Fact;
pub use state::{Cover, State};
pub use view::View;

/// Angels and Demons. Seat 0 is Angels, seat 1 is Demons.
#[derive(Clone, Copy, Debug)]
pub struct AngelsAndDemons;

impl Game for AngelsAndDemons {
    const INFO: GameInfo = GameInfo {
        id: "angels-and-demons",
        title: "Angels and Demons",
        summary: "Both seats choose a black space in secret; what surrounds it becomes theirs, \
                  unless both reach it.",
        rules_version: state::RULES_VERSION,
        seat_names: BySide::new("Angels", "Demons"),
        simultaneous: true,
        secrets: true,
        chance: false,
        options: &options::TABLE,
        rules_text: include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/rules/angels-and-demons.md"
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

    fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        legal::choices(state, seat, path)
    }

    fn play(state: &State, seat: Side, mv: &Move) -> Result<Played<State, Fact>, Illegal> {
        play::play(state, seat, *mv)
    }

    fn reveal(state: &State) -> Option<Played<State, Fact>> {
        play::reveal(state)
    }

    fn ending(state: &State) -> Option<Ending<Reason>> {
        ending::ending(state)
    }

    fn reason_word(reason: Reason) -> &'static str {
        reason.as_str()
    }

    fn view(state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }

    // All facts are public; a choice becomes a fact only once both are in (AD-5, AD-9).
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
}
