//! What the rules offer in a position: the moves that choices build, and the families that the listing leaves
//! out.

use std::collections::BTreeSet;

use rules::games::cresnovian_chess::{Basic, CresnovianChess, Elite, Move, Performance, State, Umbration};
use rules::{Game, QuestionKind, Side, Step};

use crate::board::at;
use crate::candidates::{SMALL, is_edge, squares};
use crate::legality::Turn;

/// Returns every move that choices build and that [`is_tried`]; one text stands for all free texts.
pub(crate) fn built(state: &State, seat: Side, turn: &Turn) -> Vec<Move> {
    let mut found = Vec::new();
    grow(state, seat, turn, &mut Vec::new(), &mut found);
    found
}

fn grow(state: &State, seat: Side, turn: &Turn, path: &mut Vec<String>, found: &mut Vec<Move>) {
    if !is_followed(turn, path) {
        return;
    }
    let question = match CresnovianChess::choices(state, seat, path) {
        Ok(Step::Ask(question)) => question,
        Ok(Step::Done(mv)) => return found.push(mv),
        Err(bad) => panic!("{path:?} is a dead end: {bad}"),
    };
    let answers: Vec<String> = match question.kind {
        QuestionKind::OneOf(choices) => choices.into_iter().map(|choice| choice.value).collect(),
        QuestionKind::Integer { min, max } => {
            (min..=max).filter(|&number| is_edge(number, max + 1)).map(|number| number.to_string()).collect()
        }
        QuestionKind::Text { .. } => vec!["word".to_string()],
    };
    for answer in answers {
        path.push(answer);
        grow(state, seat, turn, path, found);
        path.pop();
    }
}

fn is_followed(turn: &Turn, path: &[String]) -> bool {
    let [kind, piece, act, rest @ ..] = path else { return true };
    match (kind.as_str(), piece.as_str(), act.as_str()) {
        ("perform", "dua", "elite") => turn.flock(Umbration::Duality).len() <= SMALL,
        ("perform", "cor", "elite") => rest.len() <= 2 * SMALL || rest[2 * SMALL] == "enough",
        _ => true,
    }
}

/// Returns whether the candidates contain all moves of this kind.
pub(crate) fn is_tried(turn: &Turn, mv: &Move) -> bool {
    let words = i64::try_from(turn.board.poem.len()).expect("a poem is short");
    match mv {
        Move::Perform(Performance::Elite(elite)) => match elite {
            Elite::FlockTogether(flock) => flock.members().len() <= SMALL,
            Elite::TectonicFailure(steps) => steps.len() <= SMALL,
            Elite::Redefinition { take, put_back, .. } => {
                is_edge((*take).into(), words) && put_back.is_none_or(|index| is_edge(index.into(), words))
            }
            _ => true,
        },
        _ => true,
    }
}

/// Returns the move's family if it is too large to list (CC-80).
pub(crate) fn unlisted_family(turn: &Turn, mv: &Move) -> Option<&'static str> {
    match mv {
        Move::Document(_) => Some("document"),
        Move::Perform(Performance::Basic(basic) | Performance::Dance(basic)) => match basic {
            Basic::Propaganda(_) => Some("propaganda"),
            Basic::DestroyMonuments(_) => Some("destroy-monuments"),
            _ => None,
        },
        Move::Perform(Performance::Elite(elite)) => match elite {
            Elite::FlockTogether(_) => Some("flock-together"),
            Elite::TectonicFailure(_) => Some("tectonic-failure"),
            Elite::Redefinition { .. } => (redefinitions(turn) > 5_000).then_some("redefinition"),
            _ => None,
        },
        _ => None,
    }
}

fn redefinitions(turn: &Turn) -> usize {
    let words = turn.board.poem.len();
    let old = turn.board.word.as_ref().map(|&(at, _)| at);
    let places = squares().filter(|&to| turn.board.is_blank(at(to)) || old == Some(at(to))).count();
    words * places * if old.is_some() { words } else { 1 }
}

/// Asserts that the listing has each legal move once, or its family.
pub(crate) fn check_listing(state: &State, seat: Side, turn: &Turn, legal: &BTreeSet<Move>) {
    let listing = CresnovianChess::legal(state, seat);
    let listed: BTreeSet<&Move> = listing.moves.iter().collect();
    assert_eq!(listed.len(), listing.moves.len(), "a move is listed twice");
    let tried: BTreeSet<&Move> = listed.into_iter().filter(|mv| is_tried(turn, mv)).collect();
    let expected = legal.iter().filter(|mv| unlisted_family(turn, mv).is_none());
    assert!(tried.into_iter().eq(expected));
    let families: BTreeSet<&str> = legal.iter().filter_map(|mv| unlisted_family(turn, mv)).collect();
    assert!(listing.unlisted_families.into_iter().eq(families));
}

/// Asserts that choices build each legal move exactly once.
pub(crate) fn check_choices(state: &State, seat: Side, turn: &Turn, legal: &BTreeSet<Move>) {
    let built = built(state, seat, turn);
    let once: BTreeSet<&Move> = built.iter().collect();
    assert_eq!(once.len(), built.len(), "a move is built twice");
    assert!(once.into_iter().eq(legal.iter().filter(|mv| is_tried(turn, mv))));
}
