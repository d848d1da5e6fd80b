//! ANSI colours of the 256-colour palette. No other file writes escape sequences.

use super::style::Colour;

/// The role of a part of a drawing, which determines its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// A heading.
    Title,
    /// Row and column numbers, and secondary text.
    Faint,
    /// An empty space of the lighter colour.
    Light,
    /// A space of the darker colour.
    Dark,
    /// A piece of seat 0, on a lighter space.
    ZeroOnLight,
    /// A piece of seat 1, on a lighter space.
    OneOnLight,
    /// A mark of seat 0, on a darker space.
    ZeroOnDark,
    /// A mark of seat 1, on a darker space.
    OneOnDark,
    /// A mark of both seats, on a darker space.
    BothOnDark,
}

impl Ink {
    /// Returns the parameters of the escape sequence. Parts of the board set foreground and background, so
    /// that it looks the same on light and dark terminals.
    fn code(self) -> &'static str {
        match self {
            Self::Title => "1",
            Self::Faint => "2",
            Self::Light => "38;5;250;48;5;255",
            Self::Dark => "38;5;240;48;5;237",
            Self::ZeroOnLight => "1;38;5;26;48;5;255",
            Self::OneOnLight => "1;38;5;160;48;5;255",
            Self::ZeroOnDark => "1;38;5;117;48;5;237",
            Self::OneOnDark => "1;38;5;210;48;5;237",
            Self::BothOnDark => "1;38;5;229;48;5;237",
        }
    }
}

/// Returns `text` in the colours of `ink`, if colours may be used.
pub(super) fn paint(text: &str, ink: Ink, colour: Colour) -> String {
    match colour {
        Colour::Plain => text.to_owned(),
        Colour::Ansi => format!("\u{1b}[{}m{text}\u{1b}[0m", ink.code()),
    }
}
