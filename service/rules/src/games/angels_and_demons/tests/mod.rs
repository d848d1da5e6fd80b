//! Paragraph tests: at least one for each AD-n, and for each G-n that this game can show.

mod choosing;
mod common_rules;
mod endings;
mod resolution;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{AngelsAndDemons, Fact, Move, Options, Space, State, View};
use crate::{Game, Illegal, Played, Seed, Side, Viewer};

const ANGELS: Side = Side::Zero;
const DEMONS: Side = Side::One;
const VIEWERS: [Viewer; 4] = [Viewer::Seat(ANGELS), Viewer::Seat(DEMONS), Viewer::Spectator, Viewer::Open];

fn opening(rows: u32, cols: u32, turns: u32) -> State {
    let options = Options { rows, cols, turns };
    AngelsAndDemons::setup(&options, &Seed::new([0; 32])).expect("these options are in range")
}

fn choose(row: u32, col: u32) -> Move {
    Move::Choose(Space { row, col })
}

fn play(state: &State, seat: Side, row: u32, col: u32) -> Result<Played<State, Fact>, Illegal> {
    AngelsAndDemons::play(state, seat, &choose(row, col))
}

/// Plays a choice, and the reveal if it completes the turn; returns the position and the facts.
fn accepted(state: &State, seat: Side, row: u32, col: u32) -> (State, Vec<Fact>) {
    let Played { state, facts } = play(state, seat, row, col).expect("the choice is legal");
    match AngelsAndDemons::reveal(&state) {
        Some(turn) => (turn.state, [facts, turn.facts].concat()),
        None => (state, facts),
    }
}

fn refused(state: &State, seat: Side, row: u32, col: u32) -> Illegal {
    play(state, seat, row, col).err().expect("the choice is not legal")
}

/// Plays a whole turn, the Angels' choice first.
fn turn(state: &State, angels: (u32, u32), demons: (u32, u32)) -> State {
    let (sealed, _) = accepted(state, ANGELS, angels.0, angels.1);
    accepted(&sealed, DEMONS, demons.0, demons.1).0
}

fn seen(state: &State, viewer: Viewer) -> View {
    AngelsAndDemons::view(state, viewer)
}

/// Returns the board as text: `A`, `D` or `.` per space, rows from 1 separated by `/`.
fn drawn(state: &State) -> String {
    use super::Cover;
    let view = seen(state, Viewer::Spectator);
    let symbol = |cover: &Cover| match cover {
        Cover::Empty => '.',
        Cover::Angel => 'A',
        Cover::Demon => 'D',
    };
    let rows = view.covers.chunks(view.cols as usize).map(|row| row.iter().map(symbol).collect::<String>());
    rows.reduce(|board, row| format!("{board}/{row}")).expect("a board has rows")
}
