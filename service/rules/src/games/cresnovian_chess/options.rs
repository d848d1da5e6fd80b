//! The option of a match: how many turns it has at most (CC-71).

use crate::{BadOption, OptionInfo, Paragraph};

const CC_71: Paragraph = Paragraph::new("CC-71");

const MAX_TURNS: OptionInfo = OptionInfo {
    name: "max_turns",
    default: 400,
    min: 1,
    max: 2000,
    text: "Turns, of both seats together, after which the match is a draw.",
};

pub(super) const TABLE: [OptionInfo; 1] = [MAX_TURNS];

/// What is fixed before a match starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Turns after which the match is a draw.
    pub max_turns: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_turns: MAX_TURNS.default }
    }
}

impl Options {
    /// Refuses a number of turns that no match can have.
    pub(super) fn check(self) -> Result<(), BadOption> {
        MAX_TURNS.check(self.max_turns, CC_71)
    }
}
