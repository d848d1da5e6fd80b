//! Refusals: why a move, an option, an answer or a piece of notation was not accepted. Each names its rules paragraph.
//! Texts never repeat what the caller sent, so they are bounded, and never tell a secret of the other seat.

use alloc::string::String;
use core::error::Error;
use core::fmt;

/// The number of a rules paragraph, such as `AD-4`; the game's rules page explains it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Paragraph(&'static str);

impl Paragraph {
    /// What makes a move acceptable at all, in every game: the match runs, the seat is to act, the move is well formed.
    pub const G_2: Self = Self::new("G-2");

    /// The paragraph of that number.
    #[must_use]
    pub const fn new(number: &'static str) -> Self {
        Self(number)
    }

    /// The number as the rules page writes it.
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

/// Which of the tests of rule G-2 a refused move failed first. Callers answer the first two unlike a bad move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IllegalKind {
    /// The match is over: nobody moves any more.
    MatchOver,
    /// The match runs, but it is not for this seat to move now.
    NotToAct,
    /// The seat may move, but not so.
    Move,
}

/// A refused move; the refusal changed nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Illegal {
    /// Which test failed.
    pub kind: IllegalKind,
    /// The paragraph that the move offends.
    pub paragraph: Paragraph,
    /// One sentence for the player.
    pub text: String,
}

impl Illegal {
    /// A move offends this paragraph of its game.
    pub fn new(paragraph: Paragraph, text: impl Into<String>) -> Self {
        Self { kind: IllegalKind::Move, paragraph, text: text.into() }
    }

    /// A move is not well formed: it names what does not exist, or is not of this game.
    pub fn malformed(text: impl Into<String>) -> Self {
        Self::new(Paragraph::G_2, text)
    }

    /// The match is over, by the rules or otherwise.
    #[must_use]
    pub fn match_over() -> Self {
        let text = String::from("the match is over");
        Self { kind: IllegalKind::MatchOver, paragraph: Paragraph::G_2, text }
    }

    /// The match runs, but the seat has to wait; the text says for what.
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

/// An option with which no match can be set up (rule G-8).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BadOption {
    /// The option's name.
    pub option: &'static str,
    /// The paragraph that gives the option its range, and what the range is.
    pub illegal: Illegal,
}

impl fmt::Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option {}: {}", self.option, self.illegal)
    }
}

impl Error for BadOption {}

/// An answer on the way to a move that was not offered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BadAnswer {
    /// Its place in the path, from 0. It is 0 too where no question can be asked: the match is over, or the seat not to act.
    pub index: usize,
    /// Why it was not accepted.
    pub illegal: Illegal,
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "answer {}: {}", self.index, self.illegal)
    }
}

impl Error for BadAnswer {}

/// Text that is no notation of any move of the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BadNotation {
    /// How a move is written, with an example.
    pub text: String,
}

impl BadNotation {
    /// The text tells what is expected instead.
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
