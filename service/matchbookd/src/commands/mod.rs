//! The commands, one file each.

mod archive;
mod archive_report;
mod check_rules;
mod check_rules_report;
mod healthcheck;
mod installing;
mod key;
mod migrate;
mod serve;

use std::io::Write;

use server::telemetry::{self, TracePipeline};

use crate::arguments::{self, LogArguments, MistypedVariable, ServeArguments};
use crate::exit_status::{CommandFailure, ExitStatus};

pub(crate) use archive::archive;
pub(crate) use check_rules::check_rules;
pub(crate) use healthcheck::healthcheck;
pub(crate) use installing::{completions, man};
pub(crate) use key::{new_key, rotate_key};
pub(crate) use migrate::migrate;
pub(crate) use serve::serve;

/// Prints a text to standard output.
pub(crate) fn print(text: &str) -> Result<(), CommandFailure> {
    print_bytes(text.as_bytes())
}

/// Prints the configuration, and on standard error the variables that probably were to be in it.
pub(crate) fn print_config(serve: ServeArguments, text: &str) -> Result<(), CommandFailure> {
    // Reports an invalid configuration instead of printing it.
    serve.config()?;
    for MistypedVariable { name, similar } in arguments::mistyped_variables() {
        eprintln!("matchbookd: {name} is not a setting and has no effect; did you mean {similar}?");
    }
    print(text)
}

fn print_bytes(bytes: &[u8]) -> Result<(), CommandFailure> {
    let written = std::io::stdout().lock().write_all(bytes);
    written.map_err(|error| {
        let text = format!("cannot write to standard output: {error}");
        CommandFailure::new(ExitStatus::OtherFailure, &text)
    })
}

fn init_log(arguments: &LogArguments, traces: &TracePipeline) -> Result<(), CommandFailure> {
    telemetry::init_log(&arguments.filter, arguments.format, traces)
        .map_err(|error| CommandFailure::usage(&error).caused_by(Some("log")))
}
