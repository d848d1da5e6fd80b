//! Ace Exorcist: implements the contract by delegation. Its rules are paragraphs AE-1 to AE-50.

mod cards;
mod check;
mod choices;
mod deal;
mod ending;
mod facts;
mod legal;
mod moves;
mod notation;
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

pub use cards::{Card, CardSet, Suit};
pub use deal::Deal;
pub use ending::Reason;
pub use facts::{Assault, Fact};
pub use moves::{Flaw, Move};
pub use options::Options;
pub use state::State;
pub use view::{Hand, Stack, View};

/// Ace Exorcist. Seat 0 is the Summoner, seat 1 the Exorcist.
#[derive(Clone, Copy, Debug)]
pub struct AceExorcist;

impl Game for AceExorcist {
    const INFO: GameInfo = GameInfo {
        id: "ace-exorcist",
        title: "Ace Exorcist",
        summary: "Cards: the Summoner lays out a dark ritual, the Exorcist banishes it card by card.",
        rules_version: state::RULES_VERSION,
        seat_names: BySide::new("Summoner", "Exorcist"),
        simultaneous: false,
        secrets: true,
        chance: true,
        options: &[],
        rules_text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/ace-exorcist.md")),
    };

    const REASONS: &'static [Reason] = &Reason::ALL;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Fact = Fact;
    type View = View;
    type Reason = Reason;

    fn opening(_options: &Options, rules_version: u32, seed: &Seed) -> Result<State, BadOption> {
        Ok(State::opening(&Deal::shuffled(seed), rules_version))
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
        play::play(state, seat, mv)
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

    fn redact_fact(fact: &Fact, viewer: Viewer) -> Option<Fact> {
        Some(facts::seen(fact, viewer))
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
}
