//! Paragraph tests: at least one for each AE-n, and for each G-n that this game can show.

mod assault;
mod common_rules;
mod dealing;
mod defence;
mod endings;
mod every_set;
mod exorcist;
mod notation;
mod secrecy;
mod summoner;

use alloc::string::String;
use alloc::vec::Vec;

use super::cards::PACK;
use super::{AceExorcist, Card, CardSet, Deal, Fact, Move, State, View};
use crate::{BySide, Game, Illegal, Played, Side, Viewer};

const SUMMONER: Side = Side::Zero;
const EXORCIST: Side = Side::One;
const VIEWERS: [Viewer; 4] =
    [Viewer::Seat(SUMMONER), Viewer::Seat(EXORCIST), Viewer::Spectator, Viewer::Open];

/// Parses a card.
fn card(word: &str) -> Card {
    super::notation::parse_card(word).expect("the test names a card")
}

/// Parses cards, keeping their order.
fn cards(words: &str) -> Vec<Card> {
    words.split_whitespace().map(card).collect()
}

fn set(words: &str) -> CardSet {
    cards(words).into_iter().collect()
}

/// Returns a pack with these cards on top and the others in card order.
fn pack(seat: Side, top: &str) -> [Card; PACK] {
    let mut rest = CardSet::pack(seat);
    rest.remove(set(top));
    let mut cards = cards(top).into_iter().chain(rest.iter());
    core::array::from_fn(|_| cards.next().expect("a pack has 30 cards"))
}

/// Returns the opening with these cards on top of the packs: the Summoner's first six and the Exorcist's
/// first five form the hands.
fn dealt(summoner: &str, exorcist: &str) -> State {
    let packs = BySide::new(pack(SUMMONER, summoner), pack(EXORCIST, exorcist));
    State::opening(&Deal::arranged(packs).expect("the packs are whole"), 1)
}

fn mv(text: &str) -> Move {
    AceExorcist::parse_move(text).expect("the test's moves are notation")
}

/// Plays a legal move of the seat to act; returns the position and the facts.
fn accepted(state: &State, text: &str) -> (State, Vec<Fact>) {
    let Played { state, facts } =
        AceExorcist::play(state, state.mover, &mv(text)).unwrap_or_else(|bad| panic!("{text}: {bad}"));
    (state, facts)
}

/// Returns the position after these moves.
fn after(state: &State, texts: &[&str]) -> State {
    texts.iter().fold(state.clone(), |state, text| accepted(&state, text).0)
}

fn refusal(state: &State, seat: Side, mv: &Move) -> Illegal {
    AceExorcist::play(state, seat, mv).err().expect("the move is not legal")
}

/// Returns the paragraph that forbids a move of the seat to act.
fn refused(state: &State, text: &str) -> &'static str {
    refusal(state, state.mover, &mv(text)).paragraph.as_str()
}

/// Returns the legal moves of the seat to act in notation.
fn legal(state: &State) -> Vec<String> {
    AceExorcist::legal(state, state.mover).moves.iter().map(AceExorcist::print_move).collect()
}

/// Returns those of one kind.
fn legal_of(state: &State, kind: &str) -> Vec<String> {
    legal(state).into_iter().filter(|text| text.split(' ').next() == Some(kind)).collect()
}

fn seen(state: &State, viewer: Viewer) -> View {
    AceExorcist::view(state, viewer)
}

/// Returns the public part of a position.
fn table(state: &State) -> View {
    seen(state, Viewer::Spectator)
}

fn hit_points(state: &State) -> (u32, u32) {
    (state.hit_points[SUMMONER], state.hit_points[EXORCIST])
}
