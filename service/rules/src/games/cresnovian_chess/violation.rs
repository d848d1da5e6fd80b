//! Refusals as cheap values: most questions about legality are asked to list moves, and their refusals thrown away.

use crate::{Illegal, Paragraph};

/// A paragraph that a move offends, and a sentence for the player.
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

/// Refuses unless it holds.
pub(super) fn require(holds: bool, number: &'static str, text: &'static str) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation::of(number, text)) }
}
