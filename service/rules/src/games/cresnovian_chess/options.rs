//! The option of a match: its maximum number of turns (CC-71).

use crate::info::IntegerOption;
use crate::{BadOption, OptionSpec, Paragraph};

const CC_71: Paragraph = Paragraph::new("CC-71");

const MAX_TURNS: IntegerOption = IntegerOption {
    name: "max_turns",
    title: "Maximum turns",
    default: 400,
    min: 1,
    max: 2000,
    text: "Number of turns, by both seats, after which the match is a draw.",
};

pub(super) const TABLE: [OptionSpec; 1] = [MAX_TURNS.spec()];

/// The options of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Number of turns after which the match is a draw.
    pub max_turns: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_turns: MAX_TURNS.default }
    }
}

impl Options {
    /// Rejects a number of turns out of range.
    pub(super) fn check(self) -> Result<(), BadOption> {
        MAX_TURNS.check(self.max_turns, CC_71)
    }
}
