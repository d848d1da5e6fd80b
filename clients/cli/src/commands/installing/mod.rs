//! Commands that help to install the program. A new one is a file, and here its module and its definition.

mod completions;
mod man;

use crate::commands::definition::{Definition, describing};

/// Defines the commands, in the order of `--help`.
pub(super) fn commands() -> Vec<Definition> {
    vec![
        describing(
            "completions",
            "Print a shell script that completes commands and flags",
            completions::Completions::run,
        ),
        describing("man", "Write the manual pages", man::Man::run),
    ]
}
