//! Building a move by answers: the kind, then the cards one by one in card order, then `enough` where more
//! could follow. The questions are derived from the listing, so that they lead to every legal move by exactly
//! one path and nowhere else.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::cards::CardSet;
use super::moves::{Kind, Move};
use super::notation::{parse_card, print_card, print_cards};
use super::state::State;
use super::{check, legal};
use crate::{BadAnswer, Choice, Illegal, Question, QuestionKind, Side, Step, ValueType};

/// The answer that ends a set to which more cards could be added.
const ENOUGH: &str = "enough";

pub(super) fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
    check::check_to_act(state, seat).map_err(|illegal| BadAnswer { index: 0, illegal })?;
    let mut listed = legal::listing(state, seat).moves;
    if let Some(kind) = path.first().and_then(|word| Kind::of_word(word)) {
        // Skip moves of other kinds: their answers would be built for nothing.
        listed.retain(|mv| mv.kind() == Ok(kind));
    }
    let mut open: Vec<Candidate> = listed.into_iter().map(Candidate::new).collect();
    for (index, answer) in path.iter().enumerate() {
        if is_finished(&open, index) {
            return Err(BadAnswer { index, illegal: Illegal::malformed("the move is already finished") });
        }
        open.retain(|candidate| candidate.answer(index) == answer);
        if open.is_empty() {
            return Err(BadAnswer { index, illegal: not_offered(state, path, index) });
        }
    }
    Ok(step(&open, path.len()))
}

/// A legal move with the answers that lead to it.
struct Candidate {
    mv: Move,
    answers: Vec<String>,
}

impl Candidate {
    fn new(mv: Move) -> Self {
        let mut answers: Vec<String> = mv.kind().iter().map(|kind| kind.word().to_string()).collect();
        match mv {
            Move::Ritual(card) => answers.push(print_card(card)),
            Move::Attack(cards) | Move::Trade(cards) | Move::Assault(cards) | Move::Heal(cards) => {
                answers.extend(print_cards(cards));
            }
            Move::Guard { low, high } => {
                answers.push(String::from(match (low, high) {
                    (Some(_), Some(_)) => "both",
                    (Some(_), None) => "low",
                    (None, _) => "high",
                }));
                answers.extend(low.into_iter().chain(high).map(print_card));
            }
            Move::Banish { ritual, flush } => {
                answers.push(print_card(ritual));
                answers.extend(print_cards(flush));
            }
            Move::TakeHit | Move::Pass | Move::Malformed(_) => {}
        }
        Self { mv, answers }
    }

    /// Returns the answer at the index; after the last card it is `enough`.
    fn answer(&self, index: usize) -> &str {
        self.answers.get(index).map_or(ENOUGH, String::as_str)
    }
}

/// Returns whether these answers single out one move and name all its parts.
fn is_finished(open: &[Candidate], answered: usize) -> bool {
    matches!(open, [only] if only.answers.len() <= answered)
}

/// Returns the question or the move after these answers. `open` is not empty, and its moves agree in all
/// answers so far.
fn step(open: &[Candidate], answered: usize) -> Step<Move> {
    let first = &open[0];
    if is_finished(open, answered) {
        return Step::Done(first.mv);
    }
    let mut values: Vec<&str> = Vec::new();
    for candidate in open {
        if !values.contains(&candidate.answer(answered)) {
            values.push(candidate.answer(answered));
        }
    }
    let choices = values.into_iter().map(choice).collect();
    Step::Ask(Question { prompt: prompt(&first.mv, answered), kind: QuestionKind::OneOf(choices) })
}

fn prompt(mv: &Move, answered: usize) -> String {
    String::from(match (mv, answered) {
        (Move::TakeHit | Move::Guard { .. }, 0) => "How do you answer the attack?",
        (_, 0) => "What do you do?",
        (Move::Guard { .. }, 1) => "Which end do you guard?",
        (Move::Guard { low: Some(_), .. }, 2) => "Which card guards the low end?",
        (Move::Guard { .. }, _) => "Which card guards the high end?",
        (Move::Ritual(_), _) => "Which face card goes into the Ritual Space?",
        (Move::Banish { .. }, 1) => "Which card of the Ritual Space do you banish?",
        (_, 1) | (Move::Banish { .. }, 2) => "Which card do you play?",
        _ => "Which card do you add?",
    })
}

fn choice(value: &str) -> Choice {
    let (label, value_type) = match parse_card(value) {
        Some(card) if card.face().is_some() => {
            (format!("{} ({})", card.name(), card.value()), ValueType::Card)
        }
        Some(card) => (card.name(), ValueType::Card),
        None if value == ENOUGH => (String::from("That is all"), ValueType::Enough),
        None => (String::from(kind_label(value)), ValueType::Kind),
    };
    Choice { value: value.to_string(), label, value_type }
}

fn kind_label(word: &str) -> &'static str {
    match (Kind::of_word(word), word) {
        (Some(Kind::Ritual), _) => "Play a face card into the Ritual Space",
        (Some(Kind::Attack), _) => "Attack with number cards in sequence",
        (Some(Kind::Trade), _) => "Play a pair or three of a kind to draw 3 or 4 cards",
        (Some(Kind::TakeHit), _) => "Take the hit",
        (Some(Kind::Guard), _) => "Guard",
        (Some(Kind::Banish), _) => "Banish a card from the Ritual Space",
        (Some(Kind::Assault), _) => "Assault the Summoner's stack",
        (Some(Kind::Heal), _) => "Play a pair to heal",
        (Some(Kind::Pass), _) => "Pass and draw a card",
        (None, "low") => "The low end",
        (None, "high") => "The high end",
        (None, _) => "Both ends",
    }
}

/// Returns why an answer is not offered.
fn not_offered(state: &State, path: &[String], index: usize) -> Illegal {
    let Some(kind) = Kind::of_word(&path[0]) else {
        return Illegal::malformed("there is no such kind of move");
    };
    if let Err(illegal) = check::check_kind(state, kind) {
        return illegal;
    }
    if let Some(illegal) = unfit_card(state, kind, path, index) {
        return illegal;
    }
    if path[index] == "both" && state.attack.len() == 1 {
        return check::superfluous_guard();
    }
    let is_known = index == 0 || [ENOUGH, "low", "high", "both"].contains(&path[index].as_str());
    if is_known || parse_card(&path[index]).is_some() {
        let text = if index == 0 {
            "you have no cards for this kind of move"
        } else {
            "no legal move continues from this answer"
        };
        Illegal::new(check::paragraph(kind), text)
    } else {
        Illegal::malformed("this is not an answer to the question")
    }
}

/// Returns what is wrong with a card whatever the kind of move: it is named twice (G-2), or it is not in the
/// mover's hand (AE-6). The card to banish lies in the Ritual Space.
fn unfit_card(state: &State, kind: Kind, path: &[String], index: usize) -> Option<Illegal> {
    let card = parse_card(&path[index])?;
    if path[..index].contains(&path[index]) {
        return Some(Illegal::malformed("the card is named twice"));
    }
    if kind == Kind::Banish && index == 1 {
        return None;
    }
    check::check_held(state, CardSet::from_iter([card])).err()
}
