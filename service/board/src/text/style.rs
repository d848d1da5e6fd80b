//! How a text drawing looks.

use crate::Orientation;

/// Colours and orientation of a text drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    /// Whether colours may be used. Drawings are unambiguous without them.
    pub colour: Colour,
    /// The seat whose edge of the board is at the bottom.
    pub orientation: Orientation,
}

/// Whether colours may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Characters only, for files and pipes and for people who switch colours off.
    Plain,
    /// ANSI escape sequences with the 256-colour palette.
    Ansi,
}
