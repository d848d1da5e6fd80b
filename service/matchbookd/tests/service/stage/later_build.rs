//! A second rules version of Angels and Demons, with one changed paragraph: the seat with fewer spaces wins.

use rules::games::angels_and_demons::{AngelsAndDemons, Fact, Move, Options, Reason, View};
use rules::{
    BadAnswer, BadNotation, BadOption, Ending, Game, GameInfo, Games, Illegal, Listing, OtherVersion, Played,
    Rules, Seed, Side, Sides, Step, Viewer,
};

/// Returns the rules of a later build: version 2 is current, version 1 is kept.
pub(crate) fn later_build() -> Games {
    Games::built_in().with(Rules::other::<FewestWins>())
}

struct FewestWins;

type State = <AngelsAndDemons as Game>::State;

impl OtherVersion for FewestWins {
    type Of = AngelsAndDemons;
}

impl Game for FewestWins {
    const INFO: GameInfo = GameInfo { rules_version: 2, ..AngelsAndDemons::INFO };
    const REASONS: &'static [Reason] = AngelsAndDemons::REASONS;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Fact = Fact;
    type View = View;
    type Reason = Reason;

    fn opening(options: &Options, rules_version: u32, seed: &Seed) -> Result<State, BadOption> {
        AngelsAndDemons::opening(options, rules_version, seed)
    }

    fn to_act(state: &State) -> Sides {
        AngelsAndDemons::to_act(state)
    }

    fn legal(state: &State, seat: Side) -> Listing<Move> {
        AngelsAndDemons::legal(state, seat)
    }

    fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        AngelsAndDemons::choices(state, seat, path)
    }

    fn play(state: &State, seat: Side, mv: &Move) -> Result<Played<State, Fact>, Illegal> {
        AngelsAndDemons::play(state, seat, mv)
    }

    fn reveal(state: &State) -> Option<Played<State, Fact>> {
        AngelsAndDemons::reveal(state)
    }

    fn ending(state: &State) -> Option<Ending<Reason>> {
        let Ending { winner, reason } = AngelsAndDemons::ending(state)?;
        Some(Ending { winner: winner.map(Side::other), reason })
    }

    fn reason_word(reason: Reason) -> &'static str {
        AngelsAndDemons::reason_word(reason)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        AngelsAndDemons::view(state, viewer)
    }

    fn redact_fact(fact: &Fact, viewer: Viewer) -> Option<Fact> {
        AngelsAndDemons::redact_fact(fact, viewer)
    }

    fn print_move(mv: &Move) -> String {
        AngelsAndDemons::print_move(mv)
    }

    fn parse_move(text: &str) -> Result<Move, BadNotation> {
        AngelsAndDemons::parse_move(text)
    }

    fn canonical(state: &State) -> Vec<u8> {
        AngelsAndDemons::canonical(state)
    }
}
