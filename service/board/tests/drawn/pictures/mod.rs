//! Boards as pictures: what every picture must be, and golden files that a
//! person has looked at.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod laws;
mod ludus_magus;

use board::{Look, Near, Theme, svg};
use wire::v1::{Event, View};

use crate::boards::golden;

/// As it is drawn for the files: in light and dark, from the viewer's edge.
pub(crate) const AUTO: Look = Look { theme: Theme::Auto, near: Near::Viewer };

/// Compares a picture with its golden file, after the laws that hold for all.
#[track_caller]
pub(crate) fn picture(name: &str, view: &View, events: &[Event]) {
    let drawn = svg(view, events, AUTO);
    laws::check(&drawn);
    golden(&format!("{name}.svg"), &drawn);
}
