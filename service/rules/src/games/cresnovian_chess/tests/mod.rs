//! Paragraph tests: at least one for each CC-n, and for each G-n that this game can show. Positions are
//! reached by moves in notation from a fixed placement, or drawn by a sketch where play would take too long.

mod abilities;
mod building;
mod common_rules;
mod dancing;
mod endings;
mod flocking;
mod performing;
mod poem;
mod rewinding;
mod setup;
mod traveling;

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::field::poem::{PoemChange, Word};
use super::field::square::{Kingdom, Square};
use super::field::{Condition, Field, Status};
use super::state::{Playing, RULES_VERSION, Stage, State};
use super::{CresnovianChess, Fact, Move, Options, Umbration};
use crate::game::Game;
use crate::{BySide, Illegal, QuestionKind, Seed, Side, Step};

/// Player Two, who takes the first turn; in most tests its kingdom is the left one.
const TWO: Side = Side::One;
const ONE: Side = Side::Zero;

const PLACEMENT: &str = "place ess@1,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9";

fn opening(max_turns: u32) -> State {
    CresnovianChess::setup(&Options { max_turns }, &Seed::new([0; 32])).expect("the option is in range")
}

fn read(text: &str) -> Move {
    CresnovianChess::parse_move(text).expect("the test writes notation")
}

fn seat_to_act(state: &State) -> Side {
    CresnovianChess::to_act(state).iter().next().expect("the match is not over")
}

/// Plays these moves for the seats to act; returns the position and the facts of the last move.
fn played(state: &State, moves: &[&str]) -> (State, Vec<Fact>) {
    moves.iter().fold((state.clone(), Vec::new()), |(state, _), text| {
        match CresnovianChess::play(&state, seat_to_act(&state), &read(text)) {
            Ok(played) => (played.state, played.facts),
            Err(illegal) => panic!("{text}: {illegal}"),
        }
    })
}

fn after(state: &State, moves: &[&str]) -> State {
    played(state, moves).0
}

/// Returns the position after the placement, with Player Two in the left kingdom.
fn started() -> State {
    after(&opening(400), &[PLACEMENT, "left"])
}

/// Returns the paragraph that forbids a move of the seat to act.
fn refused(state: &State, text: &str) -> String {
    refusal(state, &read(text)).paragraph.to_string()
}

fn refusal(state: &State, mv: &Move) -> Illegal {
    match CresnovianChess::play(state, seat_to_act(state), mv) {
        Ok(_) => panic!("{mv:?} is legal"),
        Err(illegal) => illegal,
    }
}

fn is_legal(state: &State, text: &str) -> bool {
    CresnovianChess::play(state, seat_to_act(state), &read(text)).is_ok()
}

/// Returns the listed moves of the seat to act that start with this text, without it.
fn listed(state: &State, start: &str) -> Vec<String> {
    let moves = CresnovianChess::legal(state, seat_to_act(state)).moves;
    let texts = moves.iter().map(CresnovianChess::print_move);
    texts.filter_map(|text| text.strip_prefix(start).map(ToString::to_string)).collect()
}

fn families(state: &State) -> Vec<&'static str> {
    CresnovianChess::legal(state, seat_to_act(state)).unlisted_families
}

fn square(text: &str) -> Square {
    super::notation::square(text).expect("the test names a square of the field")
}

fn umbration(code: &str) -> Umbration {
    super::notation::umbration(code).expect("the test names a piece")
}

fn playing(state: &State) -> &Playing {
    match &state.stage {
        Stage::Playing(playing) => playing,
        Stage::Placing | Stage::Choosing(_) => panic!("no turn yet"),
    }
}

/// Returns the piece's Q, followed by `b` or `e` as players write it.
fn q(state: &State, code: &str) -> String {
    let Condition { q, status } = playing(state).field.piece(umbration(code)).condition;
    let mark = match status {
        Status::Whole => "",
        Status::Broken => "b",
        Status::Eternal => "e",
    };
    q.to_string() + mark
}

fn at(state: &State, code: &str) -> String {
    playing(state).field.piece(umbration(code)).square.to_string()
}

/// Returns the monuments with their squares, such as `cap@1,2`.
fn monuments(state: &State) -> Vec<String> {
    let monuments = playing(state).field.monuments();
    monuments.map(|(square, umbration)| umbration.code().to_string() + "@" + &square.to_string()).collect()
}

fn poem(state: &State) -> String {
    let words: Vec<&str> = playing(state).field.poem.iter().map(Word::as_str).collect();
    words.join(" ")
}

/// Returns a position with Player Two to act, in the left kingdom. Pieces are written `ess@1,1=9b`, monuments
/// `cap+1,2`; other pieces stand at home as in [`PLACEMENT`] with 3Q. No turn has been taken.
fn sketch(things: &str) -> State {
    let homes = Umbration::ALL.map(|piece| match started().stage {
        Stage::Playing(playing) => playing.field.piece(piece).square,
        Stage::Placing | Stage::Choosing(_) => unreachable!("it was started"),
    });
    let mut field = Field::founded(&homes);
    let mut pieces = Vec::new();
    for thing in things.split_whitespace() {
        if let Some((piece, rest)) = thing.split_once('@') {
            let (to, q) = rest.split_once('=').unwrap_or((rest, "3"));
            let digits = q.trim_end_matches(['b', 'e']);
            let status = match &q[digits.len()..] {
                "b" => Status::Broken,
                "e" => Status::Eternal,
                _ => Status::Whole,
            };
            let condition = Condition { q: digits.parse().expect("Q is a number"), status };
            field.set_condition(umbration(piece), condition);
            pieces.push((umbration(piece), square(to)));
        }
    }
    field.move_together(&pieces);
    for thing in things.split_whitespace() {
        if let Some((kind, to)) = thing.split_once('+') {
            field.build(square(to), umbration(kind));
        }
    }
    on_field(field)
}

fn on_field(field: Field) -> State {
    let kingdoms = BySide::new(Kingdom::Right, Kingdom::Left);
    let playing = Playing::started(kingdoms, Arc::new(field));
    State { rules_version: RULES_VERSION, max_turns: 400, stage: Stage::Playing(playing) }
}

/// Returns the position with a poem, and optionally a word on the field.
fn with_words(state: &State, poem: &str, word: Option<(&str, &str)>) -> State {
    let mut field = Field::clone(&playing(state).field);
    let words: Arc<[Word]> = poem.split_whitespace().map(Word::new).collect();
    assert!(field.poem.apply(&PoemChange { index: 0, removed: Arc::default(), inserted: words }));
    if let Some((text, to)) = word {
        field.lay_word(square(to), Word::new(text));
    }
    on_field(field)
}

/// Returns every move that the choices build from here.
fn built(state: &State, start: &[&str]) -> Vec<Move> {
    let mut found = Vec::new();
    let path: Vec<String> = start.iter().map(ToString::to_string).collect();
    grow(state, &path, &mut found);
    found
}

fn grow(state: &State, path: &[String], found: &mut Vec<Move>) {
    let question = match CresnovianChess::choices(state, seat_to_act(state), path) {
        Ok(Step::Ask(question)) => question,
        Ok(Step::Done(mv)) => return found.push(mv),
        Err(bad) => panic!("{path:?} is a dead end: {bad}"),
    };
    let answers: Vec<String> = match question.kind {
        QuestionKind::OneOf(choices) => choices.into_iter().map(|choice| choice.value).collect(),
        QuestionKind::Integer { min, max } => (min..=max).map(|number| number.to_string()).collect(),
        QuestionKind::Text { .. } => ["word".to_string()].into(),
    };
    for answer in answers {
        let longer: Vec<String> = path.iter().cloned().chain([answer]).collect();
        grow(state, &longer, found);
    }
}
