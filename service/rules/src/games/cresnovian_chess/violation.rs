//! Refusals that cost nothing to make: most legality checks serve to list moves, and their refusals are
//! dropped.

use crate::{Illegal, Paragraph};

/// The paragraph that forbids a move, and a sentence for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Violation {
    paragraph: Paragraph,
    text: &'static str,
}

impl Violation {
    pub(super) const fn of(number: &'static str, text: &'static str) -> Self {
        Self { paragraph: Paragraph::new(number), text }
    }
}

impl From<Violation> for Illegal {
    fn from(refused: Violation) -> Self {
        Self::new(refused.paragraph, refused.text)
    }
}

/// Returns a violation of the paragraph unless the condition holds.
pub(super) fn require(holds: bool, number: &'static str, text: &'static str) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation::of(number, text)) }
}
