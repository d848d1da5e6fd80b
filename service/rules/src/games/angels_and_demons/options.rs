//! The options of a match: board size and number of turns (AD-1, AD-7).

use crate::info::IntegerOption;
use crate::{BadOption, Illegal, OptionSpec, Paragraph};

const AD_1: Paragraph = Paragraph::new("AD-1");
const AD_7: Paragraph = Paragraph::new("AD-7");

const ROWS: IntegerOption = IntegerOption {
    name: "rows",
    title: "Rows",
    default: 8,
    min: 3,
    max: 26,
    text: "Number of rows. Rows plus columns must be even.",
};

const COLS: IntegerOption = IntegerOption {
    name: "cols",
    title: "Columns",
    default: 8,
    min: 3,
    max: 26,
    text: "Number of columns. Rows plus columns must be even.",
};

const TURNS: IntegerOption = IntegerOption {
    name: "turns",
    title: "Turns",
    default: 20,
    min: 1,
    max: 1000,
    text: "Number of turns, after which the covered spaces are counted.",
};

pub(super) const TABLE: [OptionSpec; 3] = [ROWS.spec(), COLS.spec(), TURNS.spec()];

/// Maximum number of spaces on a board.
pub(super) const MAX_SPACES: u32 = ROWS.max * COLS.max;

/// The options of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub cols: u32,
    /// Number of turns, each with one choice per seat.
    pub turns: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { rows: ROWS.default, cols: COLS.default, turns: TURNS.default }
    }
}

impl Options {
    /// Rejects the first invalid option.
    pub(super) fn check(self) -> Result<(), BadOption> {
        ROWS.check(self.rows, AD_1)?;
        COLS.check(self.cols, AD_1)?;
        TURNS.check(self.turns, AD_7)?;
        if !(self.rows + self.cols).is_multiple_of(2) {
            let text = "rows plus columns must be even";
            return Err(BadOption { option: COLS.name, illegal: Illegal::new(AD_1, text) });
        }
        Ok(())
    }
}
