//! Views drawn as SVG: one picture a game, in a frame that is the same for all.
//! Each is one string without scripts, fonts or addresses of anything else.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod document;
mod element;
mod frame;
mod last_move;
mod ludus_magus;
mod measure;
mod shapes;
mod theme;
mod waiting;

use wire::v1::{Event, View, game_view};

use crate::Near;
use crate::seats::bottom_seat;
use last_move::LastMove;

pub use theme::Theme;

/// The media type of what [`svg`] gives.
pub const SVG_CONTENT_TYPE: &str = "image/svg+xml";

/// How many events up to a position are enough to find the last move in, unless
/// more than that many offers or new tokens came after it.
pub const LAST_MOVE_WITHIN: u32 = 16;

/// How a picture should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Light or dark.
    pub theme: Theme,
    /// Whose edge of the board is at the bottom.
    pub near: Near,
}

impl Default for Look {
    fn default() -> Self {
        Self { theme: Theme::Auto, near: Near::Viewer }
    }
}

/// A view as an SVG document.
///
/// `events` are events of the same match as the same viewer was shown them, in
/// any number: the newest move among them that is not newer than the view is
/// marked on the board. Squares, cards and pieces have the ids `square-VALUE`,
/// `card-VALUE` and `piece-VALUE`, and the same in `data-square`, `data-card`
/// and `data-piece`; a value is what the offers of `GetChoices` call it.
pub fn svg(view: &View, events: &[Event], look: Look) -> String {
    let last = LastMove::of(view, events);
    let near = bottom_seat(view, look.near);
    let scene = match view.game.as_ref().and_then(|game| game.game.as_ref()) {
        Some(game_view::Game::AngelsAndDemons(board)) => angels_and_demons::scene(view, board, last, near),
        Some(game_view::Game::AceExorcist(table)) => ace_exorcist::scene(view, table, last, near),
        Some(game_view::Game::LudusMagus(board)) => ludus_magus::scene(view, board, last, near),
        Some(game_view::Game::CresnovianChess(board)) => cresnovian_chess::scene(view, board, last),
        None => waiting::scene(view),
    };
    document::write(&scene, look.theme)
}
