//! The contract of a game: a handful of pure questions about a state that nobody outside the crate looks into.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::{
    BadAnswer, BadNotation, BadOption, Dice, Ending, GameInfo, Illegal, Listing, Played, QuestionKind, Seat,
    Seats, Seed, Step, Viewer,
};

/// A game. Every answer depends on nothing but the arguments.
///
/// Order of refusals (rule G-2): the match is over; the seat is not to act; the move is malformed; the game's paragraphs.
pub trait Game: Sized {
    /// Names, options and rules page.
    const INFO: GameInfo;
    /// Every reason for which the rules end a match.
    const REASONS: &'static [Self::Reason];

    /// The options of a match; the default is what the rules give.
    type Options: Clone + Debug + PartialEq + Eq + Default;
    /// The whole truth of a position. It holds secrets, so it need not be printable and never leaves the process.
    type State: Clone;
    /// What a seat does.
    type Move: Clone + Debug + PartialEq + Eq + Ord;
    /// A thing that a move brought about, for clients to tell and animate.
    type Fact: Clone + Debug + PartialEq + Eq;
    /// What one viewer may see of a state.
    type View: Clone + Debug + PartialEq + Eq;
    /// Why the rules end a match.
    type Reason: Copy + Debug + PartialEq + Eq + 'static;

    /// The opening.
    fn setup(options: &Self::Options, seed: &Seed) -> Result<Self::State, BadOption>;

    /// The seats that may move now; none once the match is over, and none while a turn waits for its reveal.
    fn to_act(state: &Self::State) -> Seats;

    /// The seat's legal moves, always in the same order; none for a seat that is not to act.
    fn legal(state: &Self::State, seat: Seat) -> Listing<Self::Move>;

    /// What follows these answers on the way to a move (see [`Step`]).
    fn choices(state: &Self::State, seat: Seat, path: &[String]) -> Result<Step<Self::Move>, BadAnswer>;

    /// The state after the move, and what it brought about. Accepts exactly what `legal` lists or `choices` can build.
    fn play(
        state: &Self::State,
        seat: Seat,
        made: &Self::Move,
    ) -> Result<Played<Self::State, Self::Fact>, Illegal>;

    /// In a simultaneous game, once both choices are in: the step that opens and resolves them. None at any other time,
    /// and in every game where seats take turns.
    fn reveal(_state: &Self::State) -> Option<Played<Self::State, Self::Fact>> {
        None
    }

    /// Returns how the rules ended the match, if they did.
    fn ending(state: &Self::State) -> Option<Ending<Self::Reason>>;

    /// Returns the fixed word of the reason (G-7), such as `count`.
    fn reason_word(reason: Self::Reason) -> &'static str;

    /// What the viewer may see.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;

    /// What the viewer may see of the fact, if anything.
    fn fact_seen(fact: &Self::Fact, viewer: Viewer) -> Option<Self::Fact>;

    /// The move's one notation; it does not depend on a state.
    fn print_move(made: &Self::Move) -> String;

    /// The move of that notation, legal or not.
    fn parse_move(text: &str) -> Result<Self::Move, BadNotation>;

    /// The bytes that a position's digest is made of: equal for equal positions, the same in every build for ever.
    fn canonical(state: &Self::State) -> Vec<u8>;

    /// A random legal move, if the seat has one: each equally likely where all can be listed, else by answering the
    /// questions at random.
    fn sample(state: &Self::State, seat: Seat, dice: &mut Dice) -> Option<Self::Move> {
        let listing = Self::legal(state, seat);
        if listing.is_complete() {
            dice.pick(&listing.moves).cloned()
        } else {
            sample_by_choices::<Self>(state, seat, dice)
        }
    }
}

fn sample_by_choices<G: Game>(state: &G::State, seat: Seat, dice: &mut Dice) -> Option<G::Move> {
    let mut path = Vec::new();
    loop {
        match G::choices(state, seat, &path).ok()? {
            Step::Done(made) => return Some(made),
            Step::Ask(question) => path.push(random_answer(&question.kind, dice)?),
        }
    }
}

fn random_answer(kind: &QuestionKind, dice: &mut Dice) -> Option<String> {
    match kind {
        QuestionKind::OneOf(offers) => dice.pick(offers).map(|offer| offer.value.clone()),
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
