//! Views as SVG: the drawing of each game, in a frame that all share. A drawing is one self-contained string:
//! no scripts, no fonts, no external references.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod document;
mod element;
mod frame;
mod lobby;
mod ludus_magus;
mod shapes;
mod text_width;
mod theme;

use wire::v1::{Event, View, game_view};

use crate::Orientation;
use crate::last_move::LastMove;
use crate::words::seats::bottom_seat;

pub use theme::{Theme, UnknownTheme};

/// The media type of [`svg`]'s drawings.
pub const SVG_CONTENT_TYPE: &str = "image/svg+xml";

/// The number of events before a position that [`svg`] needs to find the last move, unless more than that
/// many proposals, answers and token rotations follow it.
pub const LAST_MOVE_LOOKBACK: u32 = 16;

/// Theme and orientation of an SVG drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SvgStyle {
    /// The colours.
    pub theme: Theme,
    /// The seat whose edge of the board is at the bottom.
    pub orientation: Orientation,
}

impl Default for SvgStyle {
    fn default() -> Self {
        Self { theme: Theme::default(), orientation: Orientation::Viewer }
    }
}

/// Draws a view as an SVG document.
///
/// `events` are events of the same match as shown to the same viewer, in any number and order: the newest
/// move among them that is not newer than the view is highlighted. Squares, cards and pieces have the ids
/// `square-VALUE`, `card-VALUE` and `piece-VALUE`, and the value in `data-square`, `data-card` and
/// `data-piece`; values are those of the choices of `GetChoices`.
pub fn svg(view: &View, events: &[Event], style: SvgStyle) -> String {
    let last = LastMove::find(view, events);
    let near = bottom_seat(view, style.orientation);
    let scene = match view.game_view.as_ref().and_then(|game| game.game.as_ref()) {
        Some(game_view::Game::AngelsAndDemons(board)) => angels_and_demons::scene(view, board, last, near),
        Some(game_view::Game::AceExorcist(table)) => ace_exorcist::scene(view, table, last, near),
        Some(game_view::Game::LudusMagus(board)) => ludus_magus::scene(view, board, last, near),
        Some(game_view::Game::CresnovianChess(board)) => cresnovian_chess::scene(view, board, last),
        None => lobby::scene(view),
    };
    document::write(&scene, style.theme)
}
