//! The board of Angels and Demons. An angel is an upward triangle, a demon a
//! downward one; black spaces are shaded, and a choice is a letter on its space.

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{Fact, MatchStatus, Seat, View, fact, r#move};

use crate::marks::Marks;
use crate::paint::{Ink, paint};
use crate::seats::{self, bottom_seat};
use crate::{Colour, Style};

const ANGEL: &str = "▲";
const DEMON: &str = "▼";

/// Heading, far seat, board, near seat.
pub(crate) fn draw(view: &View, board: &game::View, marks: &Marks<'_>, style: Style) -> String {
    let near = bottom_seat(view, style.near);
    let far = if near == Seat::Zero { Seat::One } else { Seat::Zero };
    let resolved = resolved_turn(marks.facts());
    let when = match (resolved, view.status()) {
        (Some(turn), _) => format!("after turn {turn}"),
        (None, MatchStatus::Over) => format!("over in turn {}", board.turn),
        (None, _) => format!("turn {}", board.turn),
    };
    let heading = format!("Angels and Demons, {when} of {}", board.turns);
    let seat_line = |seat: Seat| {
        // Right after a turn it goes without saying that both are to move.
        let player = match resolved {
            Some(_) => seats::player_and_clock(view, seat),
            None => seats::player_and_doing(view, seat),
        };
        let (glyph, count) = if seat == Seat::One { (DEMON, board.demons) } else { (ANGEL, board.angels) };
        format!("   {glyph} {} {count}   {player}\n", seats::title(&view.seats, seat))
    };

    let mut out = format!("{}\n\n", paint(&heading, Ink::Title, style.colour));
    out.push_str(&seat_line(far));
    out.push_str(&Grid::new(view, board, marks, near).draw(style.colour));
    out.push_str(&seat_line(near));
    out
}

/// The turn that these facts tell the end of.
fn resolved_turn(facts: &[Fact]) -> Option<u32> {
    facts.iter().find_map(|fact| match &fact.game {
        Some(fact::Game::AngelsAndDemons(game::Fact { fact: Some(game::fact::Fact::TurnResolved(end)) })) => {
            Some(end.turn)
        }
        _ => None,
    })
}

/// The spaces as seen from one edge, with what is marked on them.
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
    fn new(view: &View, board: &'a game::View, marks: &Marks<'_>, near: Seat) -> Self {
        let row_count = numbers(board.rows.len());
        let col_count = numbers(board.rows.iter().map(|row| row.spaces.len()).max().unwrap_or(0));
        // Row 1 lies at the Angels' edge and column 1 at their left (AD-1).
        let (rows, cols) = match near {
            Seat::One => (row_count.collect(), col_count.rev().collect()),
            Seat::Zero | Seat::Unspecified => (row_count.rev().collect(), col_count.collect()),
        };
        Self {
            board,
            rows,
            cols,
            angels_mark: mark(view, board, marks, Seat::Zero),
            demons_mark: mark(view, board, marks, Seat::One),
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
        // The shading of black spaces is for eyes without colours.
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

    /// What lies on a space; unspecified where the view has none.
    fn cover(&self, row: u32, col: u32) -> game::Cover {
        let row = self.board.rows.get(index(row));
        row.and_then(|row| row.spaces().nth(index(col))).unwrap_or(game::Cover::Unspecified)
    }
}

/// 1, 2, ... up to `count`.
fn numbers(count: usize) -> std::ops::RangeInclusive<u32> {
    1..=u32::try_from(count).expect("a message has fewer than 2^32 entries")
}

fn index(number: u32) -> usize {
    usize::try_from(number - 1).expect("an index fits")
}

/// AD-2.
fn is_black(row: u32, col: u32) -> bool {
    (row + col).is_multiple_of(2)
}

/// The space to mark for a seat: its opened choice, or the viewer's own waiting
/// one.
fn mark(view: &View, board: &game::View, marks: &Marks<'_>, seat: Seat) -> Option<(u32, u32)> {
    let opened = marks.of_seat(seat).and_then(|opened| opened.game.as_ref());
    if let Some(r#move::Game::AngelsAndDemons(opened)) = opened {
        return Some((opened.row, opened.col));
    }
    let own = board.own_choice.as_ref()?;
    (seats::viewing_seat(view) == Some(seat)).then_some((own.row, own.col))
}
