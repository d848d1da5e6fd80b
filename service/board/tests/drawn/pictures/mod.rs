//! Boards as pictures: what every picture must be, and golden files that a
//! person has looked at.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod hostile;
mod laws;
mod ludus_magus;
mod played;
mod secrecy;

use board::{Look, Near, Theme, svg};
use wire::v1::{Event, View};

use crate::boards::golden;
use crate::positions::{Position, resolved};

/// As it is drawn for the files: in light and dark, from the viewer's edge.
pub(crate) const AUTO: Look = Look { theme: Theme::Auto, near: Near::Viewer };

/// Compares a picture with its golden file, after the laws that hold for all.
#[track_caller]
pub(crate) fn picture(name: &str, view: &View, events: &[Event]) {
    let drawn = svg(view, events, AUTO);
    laws::check(&drawn);
    golden(&format!("{name}.svg"), &drawn);
}

#[test]
fn a_move_after_the_shown_position_is_not_marked() {
    let view = Position::running().view();
    let mut newer = resolved((4, 4), (3, 5));
    let marked = svg(&view, std::slice::from_ref(&newer), AUTO);
    newer.seq = view.seq + 1;
    assert_ne!(svg(&view, std::slice::from_ref(&newer), AUTO), marked);
    assert_eq!(svg(&view, &[newer], AUTO), svg(&view, &[], AUTO));
}
