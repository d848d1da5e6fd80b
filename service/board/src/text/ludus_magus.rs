//! Both planes of Ludus Magus in one drawing: points where lines cross, cells between the lines. White's
//! pieces are in upper case, Black's in lower case; brackets highlight what the last turn touched.

use wire::games::ludus_magus::v1 as game;
use wire::v1::{Fact, MatchStatus, View};

use super::ink::{Ink, paint};
use super::{Colour, TextStyle};
use crate::last_move::LastMove;
use crate::words::counted;
use crate::words::ludus_magus::{abbreviation, remarks, touched};
use crate::words::seats::{self, bottom_seat};

/// Characters from one point to the next; the cell's piece is in the middle.
const STEP: usize = 6;
/// Characters before the first point.
const MARGIN: usize = 4;
const LEGEND: &str = "Ar Aer  Aq Aqua  Ig Ignis  Te Terra  Ae Aether  Co Codex  Fa Famulus  Ma Magus";

/// Draws the heading, the far seat, both planes, the near seat, and a legend.
pub(super) fn draw(view: &View, board: &game::View, last: LastMove<'_>, style: TextStyle) -> String {
    let near = bottom_seat(view, style.orientation);
    let far = if near == 0 { 1 } else { 0 };
    let mut out = format!("{}\n\n", paint(&heading(view, board), Ink::Title, style.colour));
    out.push_str(&seat_line(view, board, far));
    out.push_str(&Canvas::new(board, last.facts(), near).draw(style.colour));
    out.push_str(&seat_line(view, board, near));
    out.push_str(&format!("\n{}\n", paint(LEGEND, Ink::Faint, style.colour)));
    out
}

fn heading(view: &View, board: &game::View) -> String {
    let mut heading = match view.status() {
        MatchStatus::Over => {
            format!("Ludus Magus, over after {}", counted(board.turns_taken, "turn", "turns"))
        }
        _ => format!("Ludus Magus, turn {} of at most {}", board.turns_taken + 1, board.max_turns),
    };
    for remark in remarks(board) {
        heading.push_str(&format!("; {remark}"));
    }
    heading
}

fn seat_line(view: &View, board: &game::View, seat: u32) -> String {
    let mana = board.mana.unwrap_or_default();
    let title = seats::title(&view.seats, seat);
    let (title, mana) = match seat {
        1 => (title.to_lowercase(), mana.black),
        _ => (title.to_uppercase(), mana.white),
    };
    format!("    {title}, mana {mana}   {}\n", seats::player_and_activity(view, seat))
}

/// A grid of characters, each with its ink.
struct Canvas {
    lines: Vec<Vec<(char, Ink)>>,
    near: u32,
}

impl Canvas {
    fn new(board: &game::View, facts: &[Fact], near: u32) -> Self {
        let width = MARGIN + 8 * STEP + 6;
        let mut canvas = Self { lines: vec![vec![(' ', Ink::Faint); width]; 2 + 17], near };
        canvas.draw_lines();
        for piece in &board.pieces {
            canvas.put(piece);
        }
        for place in facts.iter().flat_map(touched) {
            canvas.bracket(&place);
        }
        canvas
    }

    /// Draws the lines between points, and the coordinates of both planes.
    fn draw_lines(&mut self) {
        for i in 0..9 {
            let number = char::from_digit(i, 10).unwrap_or('?');
            let (_, column) = self.at_point(i, 0);
            self.write(0, column, &number.to_string(), Ink::Faint);
            let (line, _) = self.at_point(0, i);
            self.write(line, 1, &number.to_string(), Ink::Faint);
            for j in 0..9 {
                let (line, column) = self.at_point(i, j);
                self.write(line, column, "+", Ink::Faint);
            }
        }
        for step in 0..9 {
            for line in (0..8).map(|cells| 2 + 2 * cells) {
                self.write(line, MARGIN + step * STEP, "|", Ink::Faint);
            }
            for line in (0..9).map(|points| 1 + 2 * points) {
                let dashes = if step < 8 { STEP - 1 } else { 0 };
                self.write(line, MARGIN + step * STEP + 1, &"-".repeat(dashes), Ink::Faint);
            }
        }
        for (number, file) in (0..8).zip('a'..='h') {
            let (line, column) = self.at_cell(number, number);
            self.write(18, column, &file.to_string(), Ink::Faint);
            self.write(line, MARGIN + 8 * STEP + 3, &(number + 1).to_string(), Ink::Faint);
        }
    }

    fn put(&mut self, piece: &game::Piece) {
        let Some((line, column)) = piece.place.as_ref().and_then(|place| self.at(place)) else { return };
        let kind = abbreviation(piece.kind());
        let (text, ink) = match piece.side() {
            game::Side::White => (kind.to_uppercase(), Ink::ZeroOnLight),
            game::Side::Black => (kind.to_lowercase(), Ink::OneOnLight),
            game::Side::Unspecified => ("??".to_owned(), Ink::Light),
        };
        self.write(line, column, &text, ink);
    }

    fn bracket(&mut self, place: &game::Place) {
        if let Some((line, column)) = self.at(place) {
            self.write(line, column - 1, "[", Ink::Title);
            self.write(line, column + 2, "]", Ink::Title);
        }
    }

    /// Returns the line and column of a place; `None` if the place does not exist.
    fn at(&self, place: &game::Place) -> Option<(usize, usize)> {
        match place.place.as_ref()? {
            game::place::Place::Cell(cell) if cell.x < 8 && cell.y < 8 => Some(self.at_cell(cell.x, cell.y)),
            game::place::Place::Point(point) if point.i < 9 && point.j < 9 => {
                Some(self.at_point(point.i, point.j))
            }
            game::place::Place::Cell(_) | game::place::Place::Point(_) => None,
        }
    }

    fn at_cell(&self, x: u32, y: u32) -> (usize, usize) {
        let (right, down) = self.rotate(x, y, 7);
        (2 + 2 * down, MARGIN + STEP / 2 + right * STEP)
    }

    fn at_point(&self, i: u32, j: u32) -> (usize, usize) {
        let (right, down) = self.rotate(i, j, 8);
        (1 + 2 * down, MARGIN + right * STEP)
    }

    /// Returns the steps right and down from the upper left corner, as the near seat sees the board.
    fn rotate(&self, col: u32, row: u32, last: u32) -> (usize, usize) {
        let (right, down) = match self.near {
            1 => (last - col, row),
            _ => (col, last - row),
        };
        let index = |number| usize::try_from(number).expect("a board is small");
        (index(right), index(down))
    }

    fn write(&mut self, line: usize, column: usize, text: &str, ink: Ink) {
        for (cell, letter) in self.lines[line][column..].iter_mut().zip(text.chars()) {
            *cell = (letter, ink);
        }
    }

    fn draw(&self, colour: Colour) -> String {
        let mut out = String::new();
        for line in &self.lines {
            let used = line.iter().rposition(|(letter, _)| *letter != ' ').map_or(0, |last| last + 1);
            for run in line[..used].chunk_by(|(_, one), (_, other)| one == other) {
                let text: String = run.iter().map(|(letter, _)| letter).collect();
                let ink = run.first().map_or(Ink::Faint, |(_, ink)| *ink);
                out.push_str(&paint(&text, ink, colour));
            }
            out.push('\n');
        }
        out
    }
}
