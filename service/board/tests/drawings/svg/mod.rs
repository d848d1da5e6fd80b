//! SVG drawings: requirements on all of them, and reviewed golden files.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod hostile;
mod ludus_magus;
mod played;
mod secrecy;
mod well_formed;

use board::{Orientation, SvgStyle, Theme, svg};
use wire::v1::{Event, View};

use crate::golden::golden;
use crate::positions::{Position, resolved};

/// The style of the golden files: light or dark, from the viewer's edge.
pub(crate) const AUTO: SvgStyle = SvgStyle { theme: Theme::Auto, orientation: Orientation::Viewer };

/// Asserts that a drawing is well-formed and equals its golden file.
#[track_caller]
pub(crate) fn golden_svg(name: &str, view: &View, events: &[Event]) {
    styled_golden_svg(name, AUTO, view, events);
}

/// Asserts that a drawing in a style is well-formed and equals its golden file.
#[track_caller]
pub(crate) fn styled_golden_svg(name: &str, style: SvgStyle, view: &View, events: &[Event]) {
    let drawn = svg(view, events, style);
    well_formed::check(&drawn);
    golden(&format!("{name}.svg"), &drawn);
}

#[test]
fn a_move_after_the_position_is_not_highlighted() {
    let view = Position::running().view();
    let mut newer = resolved((4, 4), (3, 5));
    let highlighted = svg(&view, std::slice::from_ref(&newer), AUTO);
    newer.seq = view.seq + 1;
    assert_ne!(svg(&view, std::slice::from_ref(&newer), AUTO), highlighted);
    assert_eq!(svg(&view, &[newer], AUTO), svg(&view, &[], AUTO));
}
