//! `matchbook man`: writes the manual pages.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  matchbook man ~/.local/share/man/man1     then: man matchbook, man matchbook-new";

/// Arguments of `matchbook man`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Man {
    /// Existing folder to write to; it gets one page for the program and one for each command
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Man {
    pub(crate) fn run(self, program: clap::Command, _: Output) -> Result<(), Failure> {
        clap_mangen::generate_to(program, &self.folder)
            .map_err(|source| Failure::File { path: self.folder, source })
    }
}
