//! A view as text: which game's picture it is, and what is the same in all games.

use wire::v1::{Event, MatchStatus, Seat, View, game_view};

use crate::marks::Marks;
use crate::paint::{Ink, paint};
use crate::{
    Colour, Style, ace_exorcist, angels_and_demons, cresnovian_chess, ludus_magus, origin, result_line, seats,
};

/// A view as lines of text, each ended by a line break.
pub fn text(view: &View, style: Style) -> String {
    draw(view, &Marks::default(), style)
}

/// A view as [`text`] draws it, with the spaces marked that `event` opened or
/// touched: the board right after a turn.
pub fn text_after(view: &View, event: &Event, style: Style) -> String {
    draw(view, &Marks::of(event), style)
}

fn draw(view: &View, marks: &Marks<'_>, style: Style) -> String {
    let mut out = match view.game.as_ref().and_then(|game| game.game.as_ref()) {
        Some(game_view::Game::AngelsAndDemons(board)) => angels_and_demons::draw(view, board, marks, style),
        Some(game_view::Game::AceExorcist(table)) => ace_exorcist::draw(view, table, style),
        Some(game_view::Game::CresnovianChess(board)) => cresnovian_chess::draw(view, board, style),
        Some(game_view::Game::LudusMagus(board)) => ludus_magus::draw(view, board, marks, style),
        None => without_board(view, style.colour),
    };
    if let Some(origin) = origin::line(view.forked_from.as_ref(), view.open_information) {
        let below_heading = out.find('\n').map_or(out.len(), |end| end + 1);
        out.insert_str(below_heading, &format!("{}\n", paint(&origin, Ink::Faint, style.colour)));
    }
    if view.status() == MatchStatus::Over {
        out.push('\n');
        out.push_str(&paint(&result_line(view), Ink::Title, style.colour));
        out.push('\n');
    }
    out
}

/// What can be said of a match that shows no position: it has not started, or
/// this build doesn't know the game.
fn without_board(view: &View, colour: Colour) -> String {
    let heading = match view.status() {
        MatchStatus::Open => "Waiting for players",
        MatchStatus::Over => "Over before it began",
        MatchStatus::Running | MatchStatus::Unspecified => "A position that can't be drawn here",
    };
    let mut out = format!("{}\n\n", paint(heading, Ink::Title, colour));
    for seat in [Seat::Zero, Seat::One] {
        let title = seats::title(&view.seats, seat);
        out.push_str(&format!("  {title}: {}\n", seats::player_and_doing(view, seat)));
    }
    out
}
