//! The contract of a game: pure functions of a state that is opaque outside this crate.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::{
    BadAnswer, BadNotation, BadOption, Dice, Ending, GameInfo, Illegal, Listing, Played, QuestionKind, Seed,
    Side, Sides, Step, Viewer,
};

/// A game. Every result depends on the arguments alone.
///
/// Moves are refused in the order of rule G-2: the match is over; the seat is not to act; the move is
/// malformed; a paragraph of the game forbids it.
pub trait Game: Sized {
    /// The catalog entry: names, options and rules page.
    const INFO: GameInfo;
    /// Every reason for which the rules end a match.
    const REASONS: &'static [Self::Reason];

    /// The options of a match; `Default` gives the defaults of the rules.
    type Options: Clone + Debug + PartialEq + Eq + Default;
    /// The whole truth of a position. It may hold secrets, so it has no `Debug` and never leaves the process.
    type State: Clone;
    /// What a seat does in one call.
    type Move: Clone + Debug + PartialEq + Eq + Ord;
    /// Something that a move brought about, for clients to describe and animate.
    type Fact: Clone + Debug + PartialEq + Eq;
    /// What a viewer may see of a state.
    type View: Clone + Debug + PartialEq + Eq;
    /// Why the rules end a match.
    type Reason: Copy + Debug + PartialEq + Eq + 'static;

    /// Sets up the opening under a rules version that this code implements. The state carries the version
    /// wherever paragraphs differ.
    fn opening(options: &Self::Options, rules_version: u32, seed: &Seed) -> Result<Self::State, BadOption>;

    /// Sets up the opening under the current rules version.
    fn setup(options: &Self::Options, seed: &Seed) -> Result<Self::State, BadOption> {
        Self::opening(options, Self::INFO.rules_version, seed)
    }

    /// Returns the seats that may move now; none once the match is over or while a turn waits for its reveal.
    fn to_act(state: &Self::State) -> Sides;

    /// Returns the seat's legal moves in a fixed order; empty unless the seat is to act.
    fn legal(state: &Self::State, seat: Side) -> Listing<Self::Move>;

    /// Returns the next question on this path, or the finished move (see [`Step`]).
    fn choices(state: &Self::State, seat: Side, path: &[String]) -> Result<Step<Self::Move>, BadAnswer>;

    /// Plays a move. Accepts exactly the moves that `legal` lists or `choices` builds.
    fn play(
        state: &Self::State,
        seat: Side,
        mv: &Self::Move,
    ) -> Result<Played<Self::State, Self::Fact>, Illegal>;

    /// Opens and resolves a turn of a simultaneous game once both choices are in. Returns `None` at any other
    /// time, and always in games whose seats take turns.
    fn reveal(_state: &Self::State) -> Option<Played<Self::State, Self::Fact>> {
        None
    }

    /// Returns how the rules ended the match, if they did.
    fn ending(state: &Self::State) -> Option<Ending<Self::Reason>>;

    /// Returns the fixed word of the reason (G-7), such as `count`.
    fn reason_word(reason: Self::Reason) -> &'static str;

    /// Returns the viewer's view of the state.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;

    /// Redacts the fact for the viewer. `None` if the viewer may not see it at all.
    fn redact_fact(fact: &Self::Fact, viewer: Viewer) -> Option<Self::Fact>;

    /// Returns the move's only notation, which does not depend on the state.
    fn print_move(mv: &Self::Move) -> String;

    /// Parses a move from its notation, legal or not.
    fn parse_move(text: &str) -> Result<Self::Move, BadNotation>;

    /// Returns the bytes from which a position's digest is made: equal for equal positions, different for
    /// different ones (apart from sealed choices), and the same in every build forever. Their number is
    /// bounded, because each event of a match costs such a digest: what grows with the match is represented
    /// by a running hash that the state carries.
    fn canonical(state: &Self::State) -> Vec<u8>;

    /// Draws a random legal move. `None` if the seat has none. Uniform over a complete listing; otherwise
    /// answers the questions at random.
    fn sample(state: &Self::State, seat: Side, dice: &mut Dice) -> Option<Self::Move> {
        let listing = Self::legal(state, seat);
        if listing.is_complete() {
            dice.pick(&listing.moves).cloned()
        } else {
            sample_by_choices::<Self>(state, seat, dice)
        }
    }
}

fn sample_by_choices<G: Game>(state: &G::State, seat: Side, dice: &mut Dice) -> Option<G::Move> {
    let mut path = Vec::new();
    loop {
        match G::choices(state, seat, &path).ok()? {
            Step::Done(mv) => return Some(mv),
            Step::Ask(question) => path.push(random_answer(&question.kind, dice)?),
        }
    }
}

fn random_answer(kind: &QuestionKind, dice: &mut Dice) -> Option<String> {
    match kind {
        QuestionKind::OneOf(choices) => dice.pick(choices).map(|choice| choice.value.clone()),
        QuestionKind::Integer { min, max } => {
            // A range wider than a word is sampled from its start only; no game has one.
            let span = u32::try_from(max - min).unwrap_or(u32::MAX - 1) + 1;
            Some((min + i64::from(dice.below(span))).to_string())
        }
        QuestionKind::Text { min_chars, max_chars } => {
            let length = min_chars + dice.below(max_chars - min_chars + 1);
            Some((0..length).filter_map(|_| char::from_digit(10 + dice.below(26), 36)).collect())
        }
    }
}
