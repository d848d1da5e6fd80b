//! The spaces of the board, and what is marked on them.

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{View, r#move};

use super::WIDTH;
use crate::last_move::LastMove;
use crate::svg::element::{Align, Element, circle, group, rect, text};
use crate::svg::frame::MARGIN;
use crate::svg::shapes;
use crate::words::angels_and_demons::own_facts;

/// Room for the numbers beside the board.
const GUTTER: i32 = 24;
/// Largest width and height of a space.
const MAX_SIDE: i32 = 72;
/// Smallest width and height of a space.
const MIN_SIDE: i32 = 12;
/// Largest height of the board.
const MAX_HEIGHT: i32 = 560;

/// The spaces as seen from the near edge, with the choices and changes to mark.
pub(super) struct Grid<'a> {
    board: &'a game::View,
    /// Row numbers from top to bottom.
    rows: Vec<u32>,
    /// Column numbers from left to right.
    cols: Vec<u32>,
    /// Width and height of a space.
    side: i32,
    /// The spaces that both sides chose last, seat 0's first.
    pub(super) chosen: [Option<(u32, u32)>; 2],
    /// The viewer's own pending choice.
    pub(super) pending: Option<(u32, (u32, u32))>,
    changed: Vec<(u32, u32)>,
}

impl<'a> Grid<'a> {
    pub(super) fn new(view: &View, board: &'a game::View, last: LastMove<'_>, near: u32) -> Self {
        let rows = numbers(board.rows.len());
        let cols = numbers(board.rows.iter().map(|row| row.spaces.len()).max().unwrap_or(0));
        let side = (WIDTH - 2 * (MARGIN + GUTTER)) / count(cols.len()).max(1);
        let side = side.min(MAX_HEIGHT / count(rows.len()).max(1)).clamp(MIN_SIDE, MAX_SIDE);
        // Row 1 is the Angels' edge, and column 1 is on their left (AD-1).
        let (rows, cols) = match near {
            1 => (rows, cols.into_iter().rev().collect()),
            _ => (rows.into_iter().rev().collect(), cols),
        };
        let own = board.own_choice.map(|space| (space.row, space.col));
        Self {
            board,
            rows,
            cols,
            side,
            chosen: [0, 1].map(|seat| choice(last, seat)),
            pending: view.viewing_seat().zip(own),
            changed: changed(last),
        }
    }

    pub(super) fn height(&self) -> i32 {
        2 * GUTTER + self.side * count(self.rows.len())
    }

    pub(super) fn draw(&self, top: i32) -> Vec<Element> {
        let left = (WIDTH - self.side * count(self.cols.len())) / 2;
        let top = top + GUTTER;
        let (width, height) = (self.side * count(self.cols.len()), self.side * count(self.rows.len()));
        let mut drawn = vec![
            rect(left - 2, top - 2, width + 4, height + 4)
                .set("class", "none-line")
                .set("fill", "none")
                .set("stroke-width", 3),
        ];
        for (row, y) in self.rows.iter().zip(steps(top, self.side)) {
            for (col, x) in self.cols.iter().zip(steps(left, self.side)) {
                drawn.push(self.space(*row, *col, x, y));
            }
        }
        drawn.push(self.labels(left, top));
        drawn
    }

    fn labels(&self, left: i32, top: i32) -> Element {
        let size = (self.side * 2 / 5).clamp(9, 15);
        let label = |x, y, number: &u32| text(x, y, size, Align::Middle, &number.to_string());
        let (right, bottom) =
            (left + self.side * count(self.cols.len()), top + self.side * count(self.rows.len()));
        let mut labels = Vec::new();
        for (row, y) in self.rows.iter().zip(steps(top + self.side / 2, self.side)) {
            labels.extend([label(left - 14, y, row), label(right + 14, y, row)]);
        }
        for (col, x) in self.cols.iter().zip(steps(left + self.side / 2, self.side)) {
            labels.extend([label(x, top - 13, col), label(x, bottom + 13, col)]);
        }
        group(labels).set("class", "faint")
    }

    /// Draws a space and what is on it; `x`, `y` is its upper left corner.
    fn space(&self, row: u32, col: u32, x: i32, y: i32) -> Element {
        let side = self.side;
        let (x_middle, y_middle) = (x + side / 2, y + side / 2);
        let name = format!("{row},{col}");
        let cover = self.cover(row, col);
        let ground = if is_black(row, col) { "dim" } else { "bright" };
        let piece = match cover {
            game::Cover::Angel => Some(shapes::angel("zero", "zero-line")),
            game::Cover::Demon => Some(shapes::demon("one")),
            game::Cover::Empty | game::Cover::Unspecified => None,
        };
        let mark =
            self.changed.contains(&(row, col)).then(|| shapes::corners(x_middle, y_middle, side * 46 / 100));
        group([rect(x, y, side, side).set("class", ground)])
            .set("id", format!("square-{name}"))
            .set("data-square", &name)
            .named(&format!("{name}{}", self.suffix(row, col)))
            .add_all(mark)
            .add_all(piece.map(|piece| shapes::place(piece, x_middle, y_middle, side * 74 / 100)))
            .add_all(self.choices(row, col).map(|ring| shapes::place(ring, x_middle, y_middle, side)))
    }

    /// Draws the choices of a space: a ring with one icon, or with both.
    fn choices(&self, row: u32, col: u32) -> Option<Element> {
        let here = |chosen: Option<(u32, u32)>| chosen == Some((row, col));
        let pending = self.pending.filter(|(_, space)| *space == (row, col)).map(|(seat, _)| seat);
        let ring = |class: &'static str| {
            circle(0, 0, 43).set("class", format!("mark {class}")).set("stroke-width", 6)
        };
        let icon = |seat: u32, x, size| match seat {
            1 => shapes::place(shapes::demon("one"), x, 3, size),
            _ => shapes::place(shapes::angel("zero", "zero-line"), x, 0, size),
        };
        if let Some(seat) = pending {
            let (class, stroke) = if seat == 1 { ("one", "one-line") } else { ("zero", "zero-line") };
            let ring = circle(0, 0, 43)
                .set("class", format!("bright {stroke}"))
                .set("stroke-width", 5)
                .set("stroke-dasharray", "12 8");
            return Some(group([ring, shapes::place(shapes::padlock(class, stroke), 0, -2, 56)]));
        }
        match (here(self.chosen[0]), here(self.chosen[1])) {
            (true, true) => Some(group([ring("mark-line"), icon(0, -20, 38), icon(1, 20, 38)])),
            (true, false) => Some(group([ring("zero-line"), icon(0, 0, 52)])),
            (false, true) => Some(group([ring("one-line"), icon(1, 0, 52)])),
            (false, false) => None,
        }
    }

    /// Returns what follows a space's name in its tooltip.
    fn suffix(&self, row: u32, col: u32) -> String {
        let here = Some((row, col));
        let mut suffix = match self.cover(row, col) {
            game::Cover::Angel => ": angel".to_owned(),
            game::Cover::Demon => ": demon".to_owned(),
            game::Cover::Empty | game::Cover::Unspecified => String::new(),
        };
        if self.chosen[0] == here {
            suffix.push_str(", chosen by the Angels");
        }
        if self.chosen[1] == here {
            suffix.push_str(", chosen by the Demons");
        }
        if self.pending.is_some_and(|(_, space)| Some(space) == here) {
            suffix.push_str(", your choice");
        }
        suffix
    }

    /// Returns what covers a space; unspecified if the view does not have the space.
    fn cover(&self, row: u32, col: u32) -> game::Cover {
        let row = self.board.rows.get(index(row));
        row.and_then(|row| row.spaces().nth(index(col))).unwrap_or(game::Cover::Unspecified)
    }

    /// Returns the names of the spaces with this cover.
    pub(super) fn spaces(&self, cover: game::Cover) -> Vec<String> {
        let all = numbers(self.rows.len())
            .into_iter()
            .flat_map(|row| numbers(self.cols.len()).into_iter().map(move |col| (row, col)));
        all.filter(|(row, col)| self.cover(*row, *col) == cover)
            .map(|(row, col)| format!("{row},{col}"))
            .collect()
    }
}

fn choice(last: LastMove<'_>, seat: u32) -> Option<(u32, u32)> {
    match last.revealed_choice(seat)?.game.as_ref()? {
        r#move::Game::AngelsAndDemons(chosen) => Some((chosen.row, chosen.col)),
        _ => None,
    }
}

fn changed(last: LastMove<'_>) -> Vec<(u32, u32)> {
    let changed = own_facts(last.facts()).filter_map(|fact| match fact {
        game::fact::Fact::Changed(changed) => changed.space,
        _ => None,
    });
    changed.map(|space| (space.row, space.col)).collect()
}

/// Returns the numbers 1 to `length`.
fn numbers(length: usize) -> Vec<u32> {
    (1..=u32::try_from(length).unwrap_or(0)).collect()
}

fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX / MAX_SIDE)
}

/// Returns `start`, `start + step`, and so on.
fn steps(start: i32, step: i32) -> impl Iterator<Item = i32> {
    (0..).map(move |nth| start + nth * step)
}

fn index(number: u32) -> usize {
    usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX)
}

/// Returns whether a space is black (AD-2).
fn is_black(row: u32, col: u32) -> bool {
    (row + col).is_multiple_of(2)
}
