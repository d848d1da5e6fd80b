//! How a drawing should look.

/// What a drawing may use and from where it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether colours may be used. Everything can be told apart without them.
    pub colour: Colour,
    /// Whose edge of the board is at the bottom.
    pub near: Near,
}

/// Whether colours may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Characters only: for files, pipes and people who don't want colours.
    Plain,
    /// ANSI escape sequences with the 256-colour palette.
    Ansi,
}

/// Whose edge of the board is at the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Near {
    /// That of the seat that looks; seat 0's for spectators.
    Viewer,
    /// Seat 0's.
    Zero,
    /// Seat 1's: the board is turned by half a circle.
    One,
}
