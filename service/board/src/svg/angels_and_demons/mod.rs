//! The board of Angels and Demons. Black spaces are shaded. A choice is a ring with its side's icon on the
//! chosen space, a pending choice a padlock.

mod grid;

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{MatchStatus, View};

use super::document::Scene;
use super::element::Element;
use super::frame::{self, Area, BAR, Bar, HEADING, MARGIN};
use super::shapes;
use crate::last_move::LastMove;
use crate::words::seats;
use grid::Grid;

const WIDTH: i32 = 480;
/// Maximum number of covered spaces that the description lists one by one.
const MAX_DESCRIBED_SPACES: usize = 64;

/// Draws the heading, the far seat, the board, the near seat, and the result.
pub(super) fn scene(view: &View, board: &game::View, last: LastMove<'_>, near: u32) -> Scene {
    let far = if near == 0 { 1 } else { 0 };
    let progress = match view.status() {
        MatchStatus::Over => format!("over in turn {}", board.turn),
        _ => format!("turn {} of {}", board.turn, board.turns),
    };
    let grid = Grid::new(view, board, last, near);
    let mut y = HEADING;
    let mut content = vec![frame::heading(WIDTH, "Angels and Demons", &progress)];
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
        title: format!("Angels and Demons, {progress}"),
        description: describe(view, board, &grid),
        content,
    }
}

fn seat_bar(view: &View, board: &game::View, seat: u32, y: i32) -> Element {
    let ink = frame::ink(view, seat);
    let (icon, score) = match seat {
        1 => (shapes::demon(ink), board.demons),
        _ => (shapes::angel(ink, outline(ink)), board.angels),
    };
    frame::bar(view, seat, Area::across(WIDTH, y), Bar { icon, score: score.to_string() })
}

/// Returns the stroke class in the colour of a fill class.
fn outline(ink: &str) -> &'static str {
    if ink == "on-zero" { "on-zero-line" } else { "zero-line" }
}

fn describe(view: &View, board: &game::View, grid: &Grid<'_>) -> String {
    let covered = |seat: u32, cover: game::Cover, number: u32| {
        let spaces = grid.spaces(cover);
        let title = seats::title(&view.seats, seat);
        match spaces.len() {
            0 => format!("{title} cover nothing."),
            few if few <= MAX_DESCRIBED_SPACES => format!("{title} cover {number}: {}.", spaces.join("; ")),
            _ => format!("{title} cover {number} spaces."),
        }
    };
    let mut description = format!(
        "{} {} {}",
        frame::spoken(view),
        covered(0, game::Cover::Angel, board.angels),
        covered(1, game::Cover::Demon, board.demons)
    );
    if let [Some((row, col)), Some((other_row, other_col))] = grid.chosen {
        description.push_str(&format!(
            " In the previous turn, Angels chose {row},{col} and Demons {other_row},{other_col}."
        ));
    }
    if let Some((_, (row, col))) = grid.pending {
        description.push_str(&format!(" Your choice for this turn is {row},{col}."));
    }
    description
}
