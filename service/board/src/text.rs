//! A view as text: which game's picture it is, and what is the same in all games.

use wire::v1::{Event, Fact, MatchStatus, Move, Seat, TurnRevealed, View, event, game_view};

use crate::{
    Colour, Near, Style, ace_exorcist, angels_and_demons, cresnovian_chess, ludus_magus, origin,
    paint::{Ink, paint},
    result_line, seats,
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

/// The choices that are to be marked on the board, and whose they are.
#[derive(Debug, Default)]
pub(crate) struct Marks<'a> {
    opened: Option<&'a TurnRevealed>,
    facts: &'a [Fact],
}

impl<'a> Marks<'a> {
    fn of(event: &'a Event) -> Self {
        match &event.kind {
            Some(event::Kind::TurnRevealed(turn)) => Self { opened: Some(turn), facts: &event.facts },
            Some(event::Kind::MoveMade(_)) => Self { opened: None, facts: &event.facts },
            _ => Self::default(),
        }
    }

    /// What the turn brought about; empty if the event is none.
    pub(crate) fn facts(&self) -> &'a [Fact] {
        self.facts
    }

    /// The move of this seat that was opened.
    pub(crate) fn of_seat(&self, seat: Seat) -> Option<&'a Move> {
        let opened = self.opened?;
        opened.moves.iter().find(|revealed| revealed.seat() == seat)?.r#move.as_ref()
    }
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

/// Whose edge is at the bottom, once it is known who looks.
pub(crate) fn bottom_seat(view: &View, near: Near) -> Seat {
    match near {
        Near::Zero => Seat::Zero,
        Near::One => Seat::One,
        Near::Viewer => seats::viewing_seat(view).unwrap_or(Seat::Zero),
    }
}
