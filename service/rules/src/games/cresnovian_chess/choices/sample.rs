//! Draws a random legal move. Each action, such as traveling with one piece, performing one ability or
//! documenting, is equally likely, so that the large families do not crowd out the others. The remaining
//! questions are answered uniformly.

use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::Answers;
use crate::games::cresnovian_chess::actions::perform::{self, PerformanceKind};
use crate::games::cresnovian_chess::actions::{document, travel};
use crate::games::cresnovian_chess::choices::{
    ask_document, ask_kingdom, ask_performance, ask_placement, ask_travel,
};
use crate::games::cresnovian_chess::field::poem::Word;
use crate::games::cresnovian_chess::field::umbration::Umbration;
use crate::games::cresnovian_chess::legal;
use crate::games::cresnovian_chess::moves::Move;
use crate::games::cresnovian_chess::state::{Playing, Stage, State};
use crate::{Choice, Dice, Side};

/// Maximum length of a sampled word; random poems stay readable.
const MAX_SAMPLED_CHARS: u32 = 8;

/// An action of a turn.
#[derive(Clone, Copy)]
enum Action {
    Travel(Umbration),
    Perform(Umbration, PerformanceKind),
    Document,
}

pub(crate) fn sample(state: &State, seat: Side, dice: &mut Dice) -> Option<Move> {
    if !legal::to_act(state).contains(seat) {
        return None;
    }
    let mut answers = RandomAnswers(dice);
    let Ok(mv) = match &state.stage {
        Stage::Placing => ask_placement(&mut answers),
        Stage::Choosing(_) => ask_kingdom(&mut answers),
        Stage::Playing(playing) => sample_turn(playing, seat, &mut answers),
    };
    Some(mv)
}

fn sample_turn(playing: &Playing, seat: Side, answers: &mut RandomAnswers<'_>) -> Result<Move, Infallible> {
    let mut actions = Vec::with_capacity(32);
    actions.extend(travel::travelers(playing).iter().map(Action::Travel));
    actions.extend(perform::available(playing, seat).map(|(piece, kind)| Action::Perform(piece, kind)));
    if document::check_kind(playing).is_ok() {
        actions.push(Action::Document);
    }
    match answers.0.pick(&actions) {
        Some(&Action::Travel(piece)) => ask_travel(playing, piece, answers),
        Some(&Action::Perform(performer, kind)) => {
            ask_performance(Scene { playing, seat, performer }, kind, answers)
        }
        Some(Action::Document) => ask_document(answers),
        None => Ok(Move::Pass),
    }
}

/// Random answers to every question.
struct RandomAnswers<'a>(&'a mut Dice);

impl Answers for RandomAnswers<'_> {
    type Stop = Infallible;

    fn pick<T, I>(&mut self, _: &str, offered: I, _: impl Fn(T) -> Choice) -> Result<T, Infallible>
    where
        T: Copy,
        I: Iterator<Item = T> + Clone,
    {
        let count = u32::try_from(offered.clone().count()).expect("a question has few choices");
        let mut offered = offered;
        let picked = offered.nth(self.0.below(count) as usize);
        Ok(picked.expect("the number is below the count"))
    }

    fn number(&mut self, _: &str, min: u32, max: u32) -> Result<u32, Infallible> {
        Ok(min + self.0.below(max - min + 1))
    }

    fn word(&mut self, _: &str) -> Result<Word, Infallible> {
        let length = 1 + self.0.below(MAX_SAMPLED_CHARS);
        let mut text = String::with_capacity(MAX_SAMPLED_CHARS as usize);
        text.extend((0..length).filter_map(|_| char::from_digit(10 + self.0.below(26), 36)));
        Ok(Word::new(&text))
    }
}
