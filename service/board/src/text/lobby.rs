//! A match without a position, usually because it has not started: its seats.

use wire::v1::View;

use super::ink::{Ink, paint};
use super::style::Colour;
use crate::words::seats;

/// Draws the heading and the seats.
pub(super) fn draw(view: &View, colour: Colour) -> String {
    let mut out = format!("{}\n\n", paint(seats::lobby_heading(view), Ink::Title, colour));
    for seat in [0, 1] {
        let title = seats::title(&view.seats, seat);
        out.push_str(&format!("  {title}: {}\n", seats::player_and_activity(view, seat)));
    }
    out
}
