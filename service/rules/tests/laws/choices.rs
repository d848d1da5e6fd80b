//! Laws of building a move by answers: no dead ends, and exactly one path per legal move.

use std::collections::BTreeSet;

use rules::{Dice, Game, IllegalKind, Question, QuestionKind, Side, Step};

use crate::subject::Subject;
use crate::walk::every_position;

/// Maximum number of paths per position; other positions cover the rest.
const MOST_PATHS: usize = 2_000;

pub(crate) fn every_move_has_one_path_and_no_path_is_a_dead_end<S: Subject>() {
    every_position::<S>(|walk, dice| {
        for seat in S::Game::to_act(&walk.now.state).iter() {
            let mut tree = Tree::<S> { state: &walk.now.state, seat, built: Vec::new(), is_whole: true };
            tree.grow(&mut Vec::new(), dice);
            let once: BTreeSet<_> = tree.built.iter().collect();
            assert_eq!(once.len(), tree.built.len(), "a move has two paths");
            for mv in &once {
                assert!(S::Game::play(&walk.now.state, seat, mv).is_ok(), "{mv:?} was built");
            }
            let listing = S::Game::legal(&walk.now.state, seat);
            if tree.is_whole {
                assert!(listing.moves.iter().all(|mv| once.contains(mv)), "a listed move has no path");
                assert!(
                    !listing.is_complete() || listing.moves.len() == once.len(),
                    "a built move is not listed"
                );
            }
        }
    });
}

/// The moves that the paths from a position build.
struct Tree<'a, S: Subject> {
    state: &'a <S::Game as Game>::State,
    seat: Side,
    built: Vec<<S::Game as Game>::Move>,
    /// Whether every path was tried; one text stands for all free texts.
    is_whole: bool,
}

impl<S: Subject> Tree<'_, S> {
    fn grow(&mut self, path: &mut Vec<String>, dice: &mut Dice) {
        let question = match S::Game::choices(self.state, self.seat, path) {
            Ok(Step::Ask(question)) => question,
            Ok(Step::Done(mv)) => return self.finish(path, mv),
            Err(bad) => panic!("{path:?} is a dead end: {bad}"),
        };
        self.reject_answers_not_offered(path, &question);
        for answer in answers(&question.kind, dice) {
            if self.built.len() >= MOST_PATHS {
                self.is_whole = false;
                return;
            }
            path.push(answer);
            self.grow(path, dice);
            path.pop();
        }
    }

    fn finish(&mut self, path: &mut Vec<String>, mv: <S::Game as Game>::Move) {
        path.push(String::from("1"));
        let surplus = S::Game::choices(self.state, self.seat, path).expect_err("the move was finished");
        assert_eq!(surplus.index, path.len() - 1);
        path.pop();
        self.built.push(mv);
    }

    /// Asserts that answers not offered are rejected at their index.
    fn reject_answers_not_offered(&self, path: &mut Vec<String>, question: &Question) {
        for stranger in answers_not_offered(&question.kind) {
            path.push(stranger);
            let bad = S::Game::choices(self.state, self.seat, path).expect_err("the answer was not offered");
            assert_eq!((bad.index, bad.illegal.kind), (path.len() - 1, IllegalKind::Move));
            path.pop();
        }
    }
}

fn answers(kind: &QuestionKind, dice: &mut Dice) -> Vec<String> {
    match kind {
        QuestionKind::OneOf(choices) => {
            let values: Vec<_> = choices.iter().map(|choice| choice.value.clone()).collect();
            let once: BTreeSet<_> = values.iter().collect();
            assert!(!values.is_empty() && once.len() == values.len());
            assert!(choices.iter().all(|choice| !choice.label.is_empty()));
            values
        }
        QuestionKind::Integer { min, max } => {
            assert!(min <= max);
            (*min..=*max).map(|number| number.to_string()).collect()
        }
        QuestionKind::Text { min_chars, max_chars } => {
            let length = min_chars + dice.below(max_chars - min_chars + 1);
            vec![(0..length).map(|_| *dice.pick(&['a', 'm', 'z']).expect("the list is not empty")).collect()]
        }
    }
}

fn answers_not_offered(kind: &QuestionKind) -> Vec<String> {
    match kind {
        QuestionKind::OneOf(choices) => {
            let padded = choices.iter().map(|choice| format!(" {}", choice.value));
            padded.take(3).chain([String::new(), String::from("no such answer")]).collect()
        }
        QuestionKind::Integer { min, max } => {
            vec![
                format!("{}", min - 1),
                format!("{}", max + 1),
                format!("0{max}"),
                format!("+{max}"),
                String::new(),
            ]
        }
        QuestionKind::Text { min_chars, max_chars } => {
            let short = min_chars.checked_sub(1).map(|length| "a".repeat(length as usize));
            short.into_iter().chain(["a".repeat(*max_chars as usize + 1)]).collect()
        }
    }
}
