//! The boards of Ludus Magus in one picture: points where lines cross, cells between the lines. White's pieces stand in
//! capitals, Black's in small letters; what the last turn touched stands in brackets.

use wire::games::ludus_magus::v1 as game;
use wire::v1::{Fact, MatchStatus, Seat, View, fact};

use crate::marks::Marks;
use crate::paint::{Ink, paint};
use crate::seats::{self, bottom_seat};
use crate::{Colour, Style};

/// Columns of text from a point to the next; the cell's piece stands in the middle.
const WIDE: usize = 6;
/// Columns of text before the first point.
const MARGIN: usize = 4;
const LEGEND: &str = "Ar Aer  Aq Aqua  Ig Ignis  Te Terra  Ae Aether  Co Codex  Fa Famulus  Ma Magus";

/// Heading, far seat, boards, near seat, legend.
pub(crate) fn draw(view: &View, board: &game::View, marks: &Marks<'_>, style: Style) -> String {
    let near = bottom_seat(view, style.near);
    let far = if near == Seat::Zero { Seat::One } else { Seat::Zero };
    let mut out = format!("{}\n\n", paint(&heading(view, board), Ink::Title, style.colour));
    out.push_str(&seat_line(view, board, far));
    out.push_str(&Picture::of(board, marks.facts(), near).draw(style.colour));
    out.push_str(&seat_line(view, board, near));
    out.push_str(&format!("\n{}\n", paint(LEGEND, Ink::Faint, style.colour)));
    out
}

fn heading(view: &View, board: &game::View) -> String {
    let mut heading = match view.status() {
        MatchStatus::Over => format!("Ludus Magus, over after {} turns", board.turns_taken),
        _ => format!("Ludus Magus, turn {} of at most {}", board.turns_taken + 1, board.max_turns),
    };
    if board.quiet_turns >= 50 {
        heading.push_str(&format!("; {} quiet turns of 100", board.quiet_turns));
    }
    if board.stood == 2 {
        heading.push_str("; the position stands for the second time");
    }
    heading
}

fn seat_line(view: &View, board: &game::View, seat: Seat) -> String {
    let mana = board.mana.unwrap_or_default();
    let title = seats::title(&view.seats, seat);
    let (title, mana) = match seat {
        Seat::One => (title.to_lowercase(), mana.black),
        Seat::Zero | Seat::Unspecified => (title.to_uppercase(), mana.white),
    };
    format!("    {title}, mana {mana}   {}\n", seats::player_and_doing(view, seat))
}

/// Lines of characters, each with its ink.
struct Picture {
    lines: Vec<Vec<(char, Ink)>>,
    near: Seat,
}

impl Picture {
    fn of(board: &game::View, facts: &[Fact], near: Seat) -> Self {
        let width = MARGIN + 8 * WIDE + 6;
        let mut picture = Self { lines: vec![vec![(' ', Ink::Faint); width]; 2 + 17], near };
        picture.rule();
        for piece in &board.pieces {
            picture.put(piece);
        }
        for place in facts.iter().flat_map(touched) {
            picture.bracket(&place);
        }
        picture
    }

    /// Lines between the points, and the coordinates of both planes.
    fn rule(&mut self) {
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
                self.write(line, MARGIN + step * WIDE, "|", Ink::Faint);
            }
            for line in (0..9).map(|points| 1 + 2 * points) {
                let dashes = if step < 8 { WIDE - 1 } else { 0 };
                self.write(line, MARGIN + step * WIDE + 1, &"-".repeat(dashes), Ink::Faint);
            }
        }
        for (number, file) in (0..8).zip('a'..='h') {
            let (line, column) = self.at_cell(number, number);
            self.write(18, column, &file.to_string(), Ink::Faint);
            self.write(line, MARGIN + 8 * WIDE + 3, &(number + 1).to_string(), Ink::Faint);
        }
    }

    fn put(&mut self, piece: &game::Piece) {
        let Some((line, column)) = piece.place.as_ref().and_then(|place| self.at(place)) else { return };
        let short = short(piece.kind());
        let (text, ink) = match piece.side() {
            game::Side::White => (short.to_uppercase(), Ink::ZeroOnLight),
            game::Side::Black => (short.to_lowercase(), Ink::OneOnLight),
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

    /// Line and column of a place, unless it does not exist.
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
        let (right, down) = self.seen(x, y, 7);
        (2 + 2 * down, MARGIN + WIDE / 2 + right * WIDE)
    }

    fn at_point(&self, i: u32, j: u32) -> (usize, usize) {
        let (right, down) = self.seen(i, j, 8);
        (1 + 2 * down, MARGIN + right * WIDE)
    }

    /// Steps to the right and downwards from the upper left, as the near seat sees the board.
    fn seen(&self, col: u32, row: u32, last: u32) -> (usize, usize) {
        let (right, down) = match self.near {
            Seat::One => (last - col, row),
            Seat::Zero | Seat::Unspecified => (col, last - row),
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

fn short(kind: game::Kind) -> &'static str {
    match kind {
        game::Kind::Unspecified => "??",
        game::Kind::Aer => "Ar",
        game::Kind::Aqua => "Aq",
        game::Kind::Ignis => "Ig",
        game::Kind::Terra => "Te",
        game::Kind::Aether => "Ae",
        game::Kind::Codex => "Co",
        game::Kind::Famulus => "Fa",
        game::Kind::Magus => "Ma",
    }
}

/// The places that a fact is about.
pub(crate) fn touched(fact: &Fact) -> Vec<game::Place> {
    use game::fact::Fact as Kind;
    let Some(fact::Game::LudusMagus(game::Fact { fact: Some(fact) })) = &fact.game else { return Vec::new() };
    let place = |piece: &Option<game::Piece>| piece.as_ref().and_then(|piece| piece.place);
    let places = match fact {
        Kind::Captured(fact) => [place(&fact.piece), None],
        Kind::Moved(fact) => [place(&fact.piece), fact.to],
        Kind::Swapped(fact) => [fact.magus, fact.famulus],
        Kind::Conjured(fact) => [place(&fact.piece), None],
        Kind::Summoned(fact) => [place(&fact.piece), fact.to],
        Kind::Bound(fact) => [place(&fact.magus), None],
        Kind::ManaChanged(_) | Kind::TurnTaken(_) => [None, None],
    };
    places.into_iter().flatten().collect()
}

/// What a turn brought about, in words; what the move itself says is left out.
pub(crate) fn outcome(facts: &[Fact]) -> String {
    use game::fact::Fact as Kind;
    let mut told = String::new();
    for fact in facts.iter().filter_map(|fact| fact.game.as_ref()) {
        let fact::Game::LudusMagus(game::Fact { fact: Some(fact) }) = fact else { continue };
        match fact {
            Kind::Captured(fact) => told.push_str(&format!(", captures {}", named(fact.piece.as_ref()))),
            Kind::ManaChanged(fact) => told.push_str(&format!(", mana {}", fact.mana)),
            Kind::Bound(fact) => told.push_str(&format!(", {} is bound", named(fact.magus.as_ref()))),
            Kind::TurnTaken(fact) if fact.stood == 2 => {
                told.push_str(", the position stands for the second time");
            }
            Kind::Moved(_)
            | Kind::Swapped(_)
            | Kind::Conjured(_)
            | Kind::Summoned(_)
            | Kind::TurnTaken(_) => {}
        }
    }
    told
}

fn named(piece: Option<&game::Piece>) -> String {
    let Some(piece) = piece else { return "a piece".to_owned() };
    let name = if piece.kind() == game::Kind::Unspecified { "piece" } else { name(piece.kind()) };
    match piece.place.as_ref().and_then(|place| place.place.as_ref()) {
        Some(game::place::Place::Cell(cell)) => {
            let file = char::from_digit(10 + cell.x % 26, 36).unwrap_or('?');
            format!("the {name} on {file}{}", u64::from(cell.y) + 1)
        }
        Some(game::place::Place::Point(point)) => format!("the {name} on {},{}", point.i, point.j),
        None => format!("the {name}"),
    }
}

/// The name of a kind in print.
pub(crate) fn name(kind: game::Kind) -> &'static str {
    match kind {
        game::Kind::Unspecified => "unknown piece",
        game::Kind::Aer => "Aer",
        game::Kind::Aqua => "Aqua",
        game::Kind::Ignis => "Ignis",
        game::Kind::Terra => "Terra",
        game::Kind::Aether => "Aether",
        game::Kind::Codex => "Codex",
        game::Kind::Famulus => "Famulus",
        game::Kind::Magus => "Magus",
    }
}
