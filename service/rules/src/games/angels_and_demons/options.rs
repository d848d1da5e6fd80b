//! The options of a match: the board's size and the number of turns (AD-1, AD-7).

use crate::{BadOption, Illegal, OptionInfo, Paragraph};

const AD_1: Paragraph = Paragraph::new("AD-1");
const AD_7: Paragraph = Paragraph::new("AD-7");

const ROWS: OptionInfo = OptionInfo {
    name: "rows",
    default: 8,
    min: 3,
    max: 26,
    text: "Rows of the board. Rows and columns together must be an even number.",
};

const COLS: OptionInfo = OptionInfo {
    name: "cols",
    default: 8,
    min: 3,
    max: 26,
    text: "Columns of the board. Rows and columns together must be an even number.",
};

const TURNS: OptionInfo =
    OptionInfo { name: "turns", default: 20, min: 1, max: 1000, text: "Turns until the spaces are counted." };

pub(super) const TABLE: [OptionInfo; 3] = [ROWS, COLS, TURNS];

/// The most spaces that a board can have.
pub(super) const MAX_SPACES: u32 = ROWS.max * COLS.max;

/// What is fixed before a match starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Rows of the board.
    pub rows: u32,
    /// Columns of the board.
    pub cols: u32,
    /// Turns of the match, each one choice a seat.
    pub turns: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { rows: ROWS.default, cols: COLS.default, turns: TURNS.default }
    }
}

impl Options {
    /// Refuses the first option that no match can have.
    pub(super) fn check(self) -> Result<(), BadOption> {
        ROWS.check(self.rows, AD_1)?;
        COLS.check(self.cols, AD_1)?;
        TURNS.check(self.turns, AD_7)?;
        if !(self.rows + self.cols).is_multiple_of(2) {
            let text = "rows and columns together must be an even number";
            return Err(BadOption { option: COLS.name, illegal: Illegal::new(AD_1, text) });
        }
        Ok(())
    }
}
