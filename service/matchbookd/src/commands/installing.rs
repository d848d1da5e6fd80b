//! `matchbookd completions` and `matchbookd man`: what is installed beside the program.

use clap::CommandFactory as _;

use super::print_bytes;
use crate::arguments::{Arguments, CompletionsArguments, ManArguments};
use crate::exit_status::{CommandFailure, ExitStatus};

/// Prints the completion script of a shell.
pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<(), CommandFailure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "matchbookd", &mut script);
    print_bytes(&script)
}

/// Writes the manual pages.
pub(crate) fn man(arguments: &ManArguments) -> Result<(), CommandFailure> {
    clap_mangen::generate_to(Arguments::command(), &arguments.folder).map_err(|error| {
        let text = format!("cannot write in {}: {error}", arguments.folder.display());
        CommandFailure::new(ExitStatus::OtherFailure, &text)
    })
}
