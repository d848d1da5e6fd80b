//! Why a move, an option, an answer or a notation was refused. Each refusal names its rules paragraph.
//! Messages never repeat the caller's input, so they are bounded, and never reveal a secret of the other
//! seat.

use alloc::string::String;
use core::error::Error;
use core::fmt;

/// The number of a rules paragraph, such as `AD-4`, which the game's rules page explains.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Paragraph(&'static str);

impl Paragraph {
    /// The paragraph common to all games on what makes a move acceptable: the match runs, the seat is to act,
    /// the move is well formed.
    pub const G_2: Self = Self::new("G-2");

    /// Creates a paragraph from its number.
    #[must_use]
    pub const fn new(number: &'static str) -> Self {
        Self(number)
    }

    /// Returns the number as printed on the rules page.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Paragraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The first test of rule G-2 that a refused move failed. Callers report the first two differently from an
/// illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IllegalKind {
    /// The match is over.
    MatchOver,
    /// The match runs, but the seat is not to act.
    NotToAct,
    /// The seat may act, but not with this move.
    Move,
}

/// A refused move, which changed nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Illegal {
    /// The test that failed.
    pub kind: IllegalKind,
    /// The paragraph that forbids the move.
    pub paragraph: Paragraph,
    /// A sentence for the player.
    pub text: String,
}

impl Illegal {
    /// Refuses a move that a paragraph forbids.
    pub fn new(paragraph: Paragraph, text: impl Into<String>) -> Self {
        Self { kind: IllegalKind::Move, paragraph, text: text.into() }
    }

    /// Refuses a malformed move: one that names what does not exist, or is not of this game.
    pub fn malformed(text: impl Into<String>) -> Self {
        Self::new(Paragraph::G_2, text)
    }

    /// Refuses a move because the match is over, by the rules or otherwise.
    #[must_use]
    pub fn match_over() -> Self {
        let text = String::from("the match is over");
        Self { kind: IllegalKind::MatchOver, paragraph: Paragraph::G_2, text }
    }

    /// Refuses a move because the seat is not to act; the text says what it has to wait for.
    pub fn not_to_act(text: impl Into<String>) -> Self {
        Self { kind: IllegalKind::NotToAct, paragraph: Paragraph::G_2, text: text.into() }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.paragraph)
    }
}

impl Error for Illegal {}

/// An invalid option of a match (rule G-8).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BadOption {
    /// The option's name.
    pub option: &'static str,
    /// The paragraph that gives the option its range, and the range.
    pub illegal: Illegal,
}

impl fmt::Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option {}: {}", self.option, self.illegal)
    }
}

impl Error for BadOption {}

/// An answer that was not offered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BadAnswer {
    /// Index of the answer in the path, from 0. Also 0 where there is no question at all: the match is over,
    /// or the seat is not to act.
    pub index: usize,
    /// Why it was rejected.
    pub illegal: Illegal,
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "answer {}: {}", self.index, self.illegal)
    }
}

impl Error for BadAnswer {}

/// Text that is not the notation of any move of the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BadNotation {
    /// How moves are written, with an example.
    pub text: String,
}

impl BadNotation {
    /// Creates the error; `text` says how moves are written.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl fmt::Display for BadNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for BadNotation {}

impl From<BadNotation> for Illegal {
    fn from(unreadable: BadNotation) -> Self {
        Self::malformed(unreadable.text)
    }
}
