//! Paragraph tests: at least one for each LM-n, and for each G-n that this game can show.

mod arts;
mod boards;
mod common_rules;
mod effects;
mod endings;
mod move_identity;
mod movements;
mod options;
mod steps;

use alloc::string::String;
use alloc::vec::Vec;

use super::{Fact, Kind, LudusMagus, Move, Options, Piece, Place, Reason, State};
use crate::{BySide, Ending, Game, Illegal, Played, Seed, Side};

const WHITE: Side = Side::Zero;
const BLACK: Side = Side::One;
/// Pieces far from the place of the tests.
const FAR: &str = "w:magus@a8 b:magus@h8";

fn place(text: &str) -> Place {
    Place::parse(text).expect("it is a place")
}

/// Parses pieces such as `w:aer@d2 b:magus@3,4`.
fn pieces(text: &str) -> Vec<Option<Piece>> {
    let piece = |word: &str| {
        let (seat, piece) = word.split_once(':').expect("a seat stands first");
        let (kind, at) = piece.split_once('@').expect("a kind, then a place");
        let seat = if seat == "w" { WHITE } else { BLACK };
        Piece { seat, kind: Kind::of_word(kind).expect("it is a kind"), place: place(at) }
    };
    text.split_whitespace().map(|word| Some(piece(word))).collect()
}

fn with(text: &str) -> Options {
    Options { pieces: pieces(text), ..Options::default() }
}

fn setup(options: &Options) -> State {
    LudusMagus::setup(options, &Seed::new([0; 32])).expect("the options are playable")
}

/// Sets up these pieces with both Magi far away, White to act.
fn far(text: &str) -> State {
    setup(&with(&[FAR, text].join(" ")))
}

/// Sets up these pieces, Magi among them, White to act.
fn stage(text: &str) -> State {
    setup(&with(text))
}

fn opening() -> State {
    setup(&Options::default())
}

fn read(text: &str) -> Move {
    LudusMagus::parse_move(text).expect("it is a move")
}

fn try_move(state: &State, text: &str) -> Result<Played<State, Fact>, Illegal> {
    LudusMagus::play(state, state.position().to_act, &read(text))
}

/// Plays a legal move of the seat to act; returns the state and the facts.
fn played(state: &State, text: &str) -> (State, Vec<Fact>) {
    match try_move(state, text) {
        Ok(Played { state, facts }) => (state, facts),
        Err(illegal) => panic!("{text}: {illegal}"),
    }
}

fn after(state: &State, text: &str) -> State {
    played(state, text).0
}

/// Plays a line of moves, the seats alternating.
fn line(state: &State, moves: &str) -> State {
    moves.split_whitespace().fold(state.clone(), |state, text| after(&state, text))
}

/// Returns the number of the paragraph that forbids the move.
fn refused(state: &State, text: &str) -> &'static str {
    let illegal = try_move(state, text).err();
    assert!(!listed(state).iter().any(|listed| listed == text), "{text} is listed");
    illegal.unwrap_or_else(|| panic!("{text} is legal")).paragraph.as_str()
}

/// Returns the legal moves of the seat to act, sorted by notation.
fn listed(state: &State) -> Vec<String> {
    let moves = LudusMagus::legal(state, state.position().to_act).moves;
    let mut texts: Vec<_> = moves.iter().map(LudusMagus::print_move).collect();
    texts.sort();
    texts
}

/// Returns the legal moves of the piece on that place, joined by blanks.
fn goes(state: &State, from: &str) -> String {
    let own = listed(state)
        .into_iter()
        .filter(|text| text.strip_prefix(from).is_some_and(|rest| rest.starts_with(['-', 'x', '>'])));
    own.collect::<Vec<_>>().join(" ")
}

fn at(state: &State, text: &str) -> Option<(Side, Kind)> {
    state.position().board.at(place(text)).map(|piece| (piece.seat, piece.kind))
}

fn mana(state: &State) -> BySide<u32> {
    state.position().mana
}

fn ending(state: &State) -> Option<(Option<Side>, Reason)> {
    LudusMagus::ending(state).map(|Ending { winner, reason }| (winner, reason))
}
