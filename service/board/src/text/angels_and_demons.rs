//! The board of Angels and Demons. An angel is a triangle pointing up, a demon one pointing down; black
//! spaces are shaded, and a choice is a letter on its space.

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{MatchStatus, View, r#move};

use super::ink::{Ink, paint};
use super::{Colour, TextStyle};
use crate::last_move::LastMove;
use crate::words::angels_and_demons::resolved_turn;
use crate::words::seats::{self, bottom_seat};

const ANGEL: &str = "▲";
const DEMON: &str = "▼";

/// Draws the heading, the far seat, the board, and the near seat.
pub(super) fn draw(view: &View, board: &game::View, last: LastMove<'_>, style: TextStyle) -> String {
    let near = bottom_seat(view, style.orientation);
    let far = if near == 0 { 1 } else { 0 };
    let resolved = resolved_turn(last.facts()).map(|end| end.turn);
    let when = match (resolved, view.status()) {
        (Some(turn), _) => format!("after turn {turn}"),
        (None, MatchStatus::Over) => format!("over in turn {}", board.turn),
        (None, _) => format!("turn {}", board.turn),
    };
    let heading = format!("Angels and Demons, {when} of {}", board.turns);
    let seat_line = |seat: u32| {
        // Right after a turn, both seats are to move.
        let player = match resolved {
            Some(_) => seats::player_and_clock(view, seat),
            None => seats::player_and_activity(view, seat),
        };
        let (glyph, count) = if seat == 1 { (DEMON, board.demons) } else { (ANGEL, board.angels) };
        format!("   {glyph} {} {count}   {player}\n", seats::title(&view.seats, seat))
    };

    let mut out = format!("{}\n\n", paint(&heading, Ink::Title, style.colour));
    out.push_str(&seat_line(far));
    out.push_str(&Grid::new(view, board, last, near).draw(style.colour));
    out.push_str(&seat_line(near));
    out
}

/// The spaces as seen from the near edge, and the choices marked on them.
struct Grid<'a> {
    board: &'a game::View,
    /// Row numbers from top to bottom.
    rows: Vec<u32>,
    /// Column numbers from left to right.
    cols: Vec<u32>,
    angels_mark: Option<(u32, u32)>,
    demons_mark: Option<(u32, u32)>,
}

impl<'a> Grid<'a> {
    fn new(view: &View, board: &'a game::View, last: LastMove<'_>, near: u32) -> Self {
        let row_count = numbers(board.rows.len());
        let col_count = numbers(board.rows.iter().map(|row| row.spaces.len()).max().unwrap_or(0));
        // Row 1 is the Angels' edge, and column 1 is on their left (AD-1).
        let (rows, cols) = match near {
            1 => (row_count.collect(), col_count.rev().collect()),
            _ => (row_count.rev().collect(), col_count.collect()),
        };
        Self {
            board,
            rows,
            cols,
            angels_mark: mark(view, board, last, 0),
            demons_mark: mark(view, board, last, 1),
        }
    }

    fn draw(&self, colour: Colour) -> String {
        let numbers: String = self.cols.iter().map(|col| format!("{col:^3}")).collect();
        let numbers = paint(numbers.trim_end(), Ink::Faint, colour);
        let mut out = format!("    {numbers}\n");
        for row in &self.rows {
            let spaces: String = self.cols.iter().map(|col| self.space(*row, *col, colour)).collect();
            let left = paint(&format!("{row:>3}"), Ink::Faint, colour);
            let right = paint(&row.to_string(), Ink::Faint, colour);
            out.push_str(&format!("{left} {spaces} {right}\n"));
        }
        out.push_str(&format!("    {numbers}\n"));
        out
    }

    fn space(&self, row: u32, col: u32, colour: Colour) -> String {
        let here = Some((row, col));
        let (text, ink) = match (self.angels_mark == here, self.demons_mark == here) {
            (true, true) => ("A&D", Ink::BothOnDark),
            (true, false) => ("[A]", Ink::ZeroOnDark),
            (false, true) => ("[D]", Ink::OneOnDark),
            (false, false) => self.unmarked(row, col),
        };
        // Characters shade black spaces only where colours do not.
        let text = if colour == Colour::Ansi && ink == Ink::Dark { "   " } else { text };
        paint(text, ink, colour)
    }

    fn unmarked(&self, row: u32, col: u32) -> (&'static str, Ink) {
        match (self.cover(row, col), is_black(row, col)) {
            (game::Cover::Angel, _) => (" ▲ ", Ink::ZeroOnLight),
            (game::Cover::Demon, _) => (" ▼ ", Ink::OneOnLight),
            (game::Cover::Empty, true) => ("░░░", Ink::Dark),
            (game::Cover::Empty, false) => (" · ", Ink::Light),
            (game::Cover::Unspecified, _) => (" ? ", Ink::Light),
        }
    }

    /// Returns what covers a space; unspecified if the view does not have the space.
    fn cover(&self, row: u32, col: u32) -> game::Cover {
        let row = self.board.rows.get(index(row));
        row.and_then(|row| row.spaces().nth(index(col))).unwrap_or(game::Cover::Unspecified)
    }
}

/// Returns the numbers 1 to `count`.
fn numbers(count: usize) -> std::ops::RangeInclusive<u32> {
    1..=u32::try_from(count).expect("a message has fewer than 2^32 entries")
}

fn index(number: u32) -> usize {
    usize::try_from(number - 1).expect("an index fits")
}

/// Returns whether a space is black (AD-2).
fn is_black(row: u32, col: u32) -> bool {
    (row + col).is_multiple_of(2)
}

/// Returns the space to mark for a seat: its revealed choice, or the viewer's own pending one.
fn mark(view: &View, board: &game::View, last: LastMove<'_>, seat: u32) -> Option<(u32, u32)> {
    let revealed = last.revealed_choice(seat).and_then(|revealed| revealed.game.as_ref());
    if let Some(r#move::Game::AngelsAndDemons(revealed)) = revealed {
        return Some((revealed.row, revealed.col));
    }
    let own = board.own_choice.as_ref()?;
    (view.viewing_seat() == Some(seat)).then_some((own.row, own.col))
}
