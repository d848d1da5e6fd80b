//! Who is to act, and which choices are legal (AD-4, AD-5).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::ending;
use super::moves::{self, Move, Space};
use super::options::Options;
use super::state::State;
use crate::{
    BadAnswer, Choice, Illegal, Listing, Paragraph, Question, QuestionKind, Side, Sides, Step, ValueType,
};

const AD_4: Paragraph = Paragraph::new("AD-4");

/// Returns the seats that have not chosen in this turn; none after the last turn.
pub(super) fn to_act(state: &State) -> Sides {
    let mut seats = Sides::NONE;
    if !ending::is_over(state) {
        for (seat, _) in state.sealed.0.iter().filter(|(_, choice)| choice.is_none()) {
            seats.insert(seat);
        }
    }
    seats
}

/// Applies the first two tests of G-2. A choice is final, so a seat that has chosen waits (AD-5).
pub(super) fn check_to_act(state: &State, seat: Side) -> Result<(), Illegal> {
    if ending::is_over(state) {
        return Err(Illegal::match_over());
    }
    if !to_act(state).contains(seat) {
        return Err(Illegal::not_to_act("this seat has already chosen in this turn, and a choice is final"));
    }
    Ok(())
}

/// Checks the move itself: on the board (G-2), black (AD-4).
pub(super) fn check_move(state: &State, mv: Move) -> Result<(), Illegal> {
    let Move::Choose(space) = mv;
    let Options { rows, cols, .. } = state.options;
    if !(1..=rows).contains(&space.row) || !(1..=cols).contains(&space.col) {
        return Err(Illegal::malformed(format!(
            "the space is off the board: rows are 1 to {rows}, columns 1 to {cols}"
        )));
    }
    if !space.is_black() {
        return Err(Illegal::new(AD_4, "the space is white; choose a black one, where row + column is even"));
    }
    Ok(())
}

/// Lists every black space by row, then by column.
pub(super) fn listing(state: &State, seat: Side) -> Listing<Move> {
    if !to_act(state).contains(seat) {
        return Listing::complete(Vec::new());
    }
    let Options { rows, cols, .. } = state.options;
    let mut moves = Vec::with_capacity((rows * cols).div_ceil(2) as usize);
    for row in 1..=rows {
        let odd = row % 2;
        // A range of known length lets the vector grow once.
        moves.extend((0..(cols + odd) / 2).map(|nth| Move::Choose(Space { row, col: 2 - odd + 2 * nth })));
    }
    Listing::complete(moves)
}

/// Asks one question: which space.
pub(super) fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
    let refuse = |index| move |illegal| BadAnswer { index, illegal };
    check_to_act(state, seat).map_err(refuse(0))?;
    let [space, surplus @ ..] = path else {
        return Ok(Step::Ask(which_space(state, seat)));
    };
    let mv = answered(state, space).map_err(refuse(0))?;
    if !surplus.is_empty() {
        return Err(refuse(1)(Illegal::malformed(
            "the move is already finished after one answer, the space",
        )));
    }
    Ok(Step::Done(mv))
}

fn which_space(state: &State, seat: Side) -> Question {
    let choices = listing(state, seat).moves.into_iter().map(|mv| {
        let Move::Choose(Space { row, col }) = mv;
        Choice {
            value: moves::print(mv),
            label: format!("row {row}, column {col}"),
            value_type: ValueType::Square,
        }
    });
    Question { prompt: String::from("Choose a black space."), kind: QuestionKind::OneOf(choices.collect()) }
}

fn answered(state: &State, space: &str) -> Result<Move, Illegal> {
    let mv = moves::parse(space)?;
    check_move(state, mv)?;
    Ok(mv)
}
