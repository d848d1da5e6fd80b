//! Positions drawn as text and as SVG, and events as one line of text. All functions are pure: a message goes
//! in, a string comes out. What a viewer may see is decided before a view is made, never here.
//!
//! `text` and `svg` hold the drawings, with one file or folder per game; `words` holds what both say about
//! seats, pieces, clocks, results and events.

mod last_move;
mod printable;
mod svg;
mod text;
mod words;

pub use printable::{printable, printable_page};
pub use svg::{LAST_MOVE_LOOKBACK, SVG_CONTENT_TYPE, SvgStyle, Theme, UnknownTheme, svg};
pub use text::{Colour, TextStyle, text, text_after};
pub use words::{clocks_at, counted, event_line, result_line, time_control};

/// The seat whose edge of the board is at the bottom of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// The viewer's seat; seat 0 for viewers without a seat.
    Viewer,
    /// Seat 0.
    Zero,
    /// Seat 1: the board is rotated by 180 degrees.
    One,
}
