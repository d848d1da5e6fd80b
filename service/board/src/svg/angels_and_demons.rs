//! The board of Angels and Demons. Black spaces are shaded; a choice is a ring
//! with its side's sign on the chosen space, a waiting one a padlock.

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{MatchStatus, Seat, View, fact, r#move};

use super::document::Scene;
use super::element::{Align, Element, circle, group, rect, text};
use super::frame::{self, Area, BAR, Bar, HEADING, MARGIN};
use super::last_move::LastMove;
use super::shapes;
use crate::seats;

const WIDTH: i32 = 480;
/// Space for the numbers beside the board.
const GUTTER: i32 = 24;
/// The sides of the largest and the smallest space.
const MAX_SIDE: i32 = 72;
const MIN_SIDE: i32 = 12;
/// How high a board may become.
const MAX_HEIGHT: i32 = 560;
/// How many covered spaces are still listed one by one.
const MOST_SPOKEN: usize = 64;

/// Heading, far seat, board, near seat, result.
pub(super) fn scene(view: &View, board: &game::View, last: LastMove<'_>, near: Seat) -> Scene {
    let far = if near == Seat::Zero { Seat::One } else { Seat::Zero };
    let when = match view.status() {
        MatchStatus::Over => format!("over in turn {}", board.turn),
        _ => format!("turn {} of {}", board.turn, board.turns),
    };
    let grid = Grid::new(view, board, last, near);
    let mut y = HEADING;
    let mut content = vec![frame::heading(WIDTH, "Angels and Demons", &when)];
    content.push(seat_bar(view, board, far, y));
    y += BAR + 4;
    content.extend(grid.draw(y));
    y += grid.height() + 4;
    content.push(seat_bar(view, board, near, y));
    y += BAR + 8;
    let remarks: Vec<String> = frame::result(view).into_iter().collect();
    let (drawn, height) = frame::remarks(WIDTH, y, &remarks);
    content.extend(drawn);
    Scene {
        class: "angels-and-demons",
        width: WIDTH,
        height: y + height + MARGIN - 8,
        title: format!("Angels and Demons, {when}"),
        description: describe(view, board, &grid),
        content,
    }
}

fn seat_bar(view: &View, board: &game::View, seat: Seat, y: i32) -> Element {
    let ink = frame::ink(view, seat);
    let (sign, score) = match seat {
        Seat::One => (shapes::demon(ink), board.demons),
        Seat::Zero | Seat::Unspecified => (shapes::angel(ink, outline(ink)), board.angels),
    };
    frame::bar(view, seat, Area::across(WIDTH, y), Bar { sign, score: score.to_string() })
}

/// The stroke of the same colour.
fn outline(ink: &str) -> &'static str {
    if ink == "on-zero" { "on-zero-line" } else { "zero-line" }
}

/// The spaces as seen from one edge, with what is marked on them.
struct Grid<'a> {
    board: &'a game::View,
    /// Row numbers from top to bottom.
    rows: Vec<u32>,
    /// Column numbers from left to right.
    cols: Vec<u32>,
    /// How wide and high a space is.
    side: i32,
    /// The spaces that both sides chose last, seat 0's first.
    chosen: [Option<(u32, u32)>; 2],
    /// The viewer's own waiting choice.
    waiting: Option<(Seat, (u32, u32))>,
    changed: Vec<(u32, u32)>,
}

impl<'a> Grid<'a> {
    fn new(view: &View, board: &'a game::View, last: LastMove<'_>, near: Seat) -> Self {
        let rows = numbers(board.rows.len());
        let cols = numbers(board.rows.iter().map(|row| row.spaces.len()).max().unwrap_or(0));
        let side = (WIDTH - 2 * (MARGIN + GUTTER)) / count(cols.len()).max(1);
        let side = side.min(MAX_HEIGHT / count(rows.len()).max(1)).clamp(MIN_SIDE, MAX_SIDE);
        // Row 1 lies at the Angels' edge and column 1 at their left (AD-1).
        let (rows, cols) = match near {
            Seat::One => (rows, cols.into_iter().rev().collect()),
            Seat::Zero | Seat::Unspecified => (rows.into_iter().rev().collect(), cols),
        };
        let own = board.own_choice.map(|space| (space.row, space.col));
        Self {
            board,
            rows,
            cols,
            side,
            chosen: [Seat::Zero, Seat::One].map(|seat| choice(last, seat)),
            waiting: seats::viewing_seat(view).zip(own),
            changed: changed(last),
        }
    }

    fn height(&self) -> i32 {
        2 * GUTTER + self.side * count(self.rows.len())
    }

    fn draw(&self, top: i32) -> Vec<Element> {
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

    /// A space with all that is on it; `x` and `y` are its upper left corner.
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
            .named(&format!("{name}{}", self.told(row, col)))
            .add_all(mark)
            .add_all(piece.map(|piece| shapes::place(piece, x_middle, y_middle, side * 74 / 100)))
            .add_all(self.choices(row, col).map(|ring| shapes::place(ring, x_middle, y_middle, side)))
    }

    /// What was chosen here: one ring, or one half for each side.
    fn choices(&self, row: u32, col: u32) -> Option<Element> {
        let here = |chosen: Option<(u32, u32)>| chosen == Some((row, col));
        let waiting = self.waiting.filter(|(_, space)| *space == (row, col)).map(|(seat, _)| seat);
        let ring = |class: &'static str| {
            circle(0, 0, 43).set("class", format!("mark {class}")).set("stroke-width", 6)
        };
        let sign = |seat: Seat, x, size| match seat {
            Seat::One => shapes::place(shapes::demon("one"), x, 3, size),
            Seat::Zero | Seat::Unspecified => shapes::place(shapes::angel("zero", "zero-line"), x, 0, size),
        };
        if let Some(seat) = waiting {
            let (class, stroke) = if seat == Seat::One { ("one", "one-line") } else { ("zero", "zero-line") };
            let ring = circle(0, 0, 43)
                .set("class", format!("bright {stroke}"))
                .set("stroke-width", 5)
                .set("stroke-dasharray", "12 8");
            return Some(group([ring, shapes::place(shapes::padlock(class, stroke), 0, -2, 56)]));
        }
        match (here(self.chosen[0]), here(self.chosen[1])) {
            (true, true) => {
                Some(group([ring("mark-line"), sign(Seat::Zero, -20, 38), sign(Seat::One, 20, 38)]))
            }
            (true, false) => Some(group([ring("zero-line"), sign(Seat::Zero, 0, 52)])),
            (false, true) => Some(group([ring("one-line"), sign(Seat::One, 0, 52)])),
            (false, false) => None,
        }
    }

    /// What there is to say of a space after its name.
    fn told(&self, row: u32, col: u32) -> String {
        let here = Some((row, col));
        let mut told = match self.cover(row, col) {
            game::Cover::Angel => ": angel".to_owned(),
            game::Cover::Demon => ": demon".to_owned(),
            game::Cover::Empty | game::Cover::Unspecified => String::new(),
        };
        if self.chosen[0] == here {
            told.push_str(", chosen by the Angels");
        }
        if self.chosen[1] == here {
            told.push_str(", chosen by the Demons");
        }
        if self.waiting.is_some_and(|(_, space)| Some(space) == here) {
            told.push_str(", your choice");
        }
        told
    }

    /// What lies on a space; unspecified where the view has none.
    fn cover(&self, row: u32, col: u32) -> game::Cover {
        let row = self.board.rows.get(index(row));
        row.and_then(|row| row.spaces().nth(index(col))).unwrap_or(game::Cover::Unspecified)
    }

    /// The spaces with this on them, in words.
    fn spaces(&self, cover: game::Cover) -> Vec<String> {
        let all = numbers(self.rows.len())
            .into_iter()
            .flat_map(|row| numbers(self.cols.len()).into_iter().map(move |col| (row, col)));
        all.filter(|(row, col)| self.cover(*row, *col) == cover)
            .map(|(row, col)| format!("{row},{col}"))
            .collect()
    }
}

fn describe(view: &View, board: &game::View, grid: &Grid<'_>) -> String {
    let covered = |seat: Seat, cover: game::Cover, number: u32| {
        let spaces = grid.spaces(cover);
        let title = seats::title(&view.seats, seat);
        match spaces.len() {
            0 => format!("{title} cover nothing."),
            few if few <= MOST_SPOKEN => format!("{title} cover {number}: {}.", spaces.join("; ")),
            _ => format!("{title} cover {number} spaces."),
        }
    };
    let mut told = format!(
        "{} {} {}",
        frame::spoken(view),
        covered(Seat::Zero, game::Cover::Angel, board.angels),
        covered(Seat::One, game::Cover::Demon, board.demons)
    );
    if let [Some((row, col)), Some((other_row, other_col))] = grid.chosen {
        told.push_str(&format!(
            " In the turn before, Angels chose {row},{col} and Demons {other_row},{other_col}."
        ));
    }
    if let Some((_, (row, col))) = grid.waiting {
        told.push_str(&format!(" Your choice for this turn is {row},{col}."));
    }
    told
}

fn choice(last: LastMove<'_>, seat: Seat) -> Option<(u32, u32)> {
    match last.choice(seat)?.game.as_ref()? {
        r#move::Game::AngelsAndDemons(chosen) => Some((chosen.row, chosen.col)),
        _ => None,
    }
}

fn changed(last: LastMove<'_>) -> Vec<(u32, u32)> {
    let facts = last.facts().iter().filter_map(|fact| match fact.game.as_ref()? {
        fact::Game::AngelsAndDemons(game::Fact { fact: Some(game::fact::Fact::Changed(changed)) }) => {
            changed.space
        }
        _ => None,
    });
    facts.map(|space| (space.row, space.col)).collect()
}

/// 1, 2, ... up to `length`.
fn numbers(length: usize) -> Vec<u32> {
    (1..=u32::try_from(length).unwrap_or(0)).collect()
}

fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX / MAX_SIDE)
}

/// `start` and then always `step` more.
fn steps(start: i32, step: i32) -> impl Iterator<Item = i32> {
    (0..).map(move |nth| start + nth * step)
}

fn index(number: u32) -> usize {
    usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX)
}

/// AD-2.
fn is_black(row: u32, col: u32) -> bool {
    (row + col).is_multiple_of(2)
}
