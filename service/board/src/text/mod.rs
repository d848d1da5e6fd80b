//! Views as text for a terminal or a file: the drawing of each game, and what all drawings share.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod ink;
mod lobby;
mod ludus_magus;
mod style;

use wire::v1::{Event, MatchStatus, View, game_view};

use crate::last_move::LastMove;
use crate::words::{fork_line, result_line};
use ink::{Ink, paint};

pub use style::{Colour, TextStyle};

/// Draws a view as lines of text, each ended by a line break.
pub fn text(view: &View, style: TextStyle) -> String {
    draw(view, LastMove::default(), style)
}

/// Draws a view like [`text`] and highlights what `event` revealed or changed: the board right after a move.
pub fn text_after(view: &View, event: &Event, style: TextStyle) -> String {
    draw(view, LastMove::of_event(event), style)
}

fn draw(view: &View, last: LastMove<'_>, style: TextStyle) -> String {
    let mut out = match view.game_view.as_ref().and_then(|game| game.game.as_ref()) {
        Some(game_view::Game::AngelsAndDemons(board)) => angels_and_demons::draw(view, board, last, style),
        Some(game_view::Game::AceExorcist(table)) => ace_exorcist::draw(view, table, style),
        Some(game_view::Game::CresnovianChess(board)) => cresnovian_chess::draw(view, board, style),
        Some(game_view::Game::LudusMagus(board)) => ludus_magus::draw(view, board, last, style),
        None => lobby::draw(view, style.colour),
    };
    if let Some(line) = fork_line(view) {
        let below_heading = out.find('\n').map_or(out.len(), |end| end + 1);
        out.insert_str(below_heading, &format!("{}\n", paint(&line, Ink::Faint, style.colour)));
    }
    if view.status() == MatchStatus::Over {
        out.push('\n');
        out.push_str(&paint(&result_line(view), Ink::Title, style.colour));
        out.push('\n');
    }
    out
}
