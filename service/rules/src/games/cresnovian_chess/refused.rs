//! Refusals as cheap values: most questions about legality are asked to list moves, and their refusals thrown away.

use crate::{Illegal, Paragraph};

/// A paragraph that a move offends, and a sentence for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Refused {
    paragraph: Paragraph,
    text: &'static str,
}

impl Refused {
    pub(super) const fn by(number: &'static str, text: &'static str) -> Self {
        Self { paragraph: Paragraph::new(number), text }
    }
}

impl From<Refused> for Illegal {
    fn from(refused: Refused) -> Self {
        Self::new(refused.paragraph, refused.text)
    }
}

/// Refuses unless it holds.
pub(super) fn require(holds: bool, number: &'static str, text: &'static str) -> Result<(), Refused> {
    if holds { Ok(()) } else { Err(Refused::by(number, text)) }
}
