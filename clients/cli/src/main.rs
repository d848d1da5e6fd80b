//! `matchbook`, the command-line client: parses the arguments, runs one command, reports a failure and exits
//! with its code.

mod arguments;
mod bot;
mod commands;
mod credentials;
mod failure;
mod log_file;
mod output;
mod session;
mod viewing;

use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::Arguments;
use crate::output::Output;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let output = Output::for_terminal(arguments.global.json);
    match commands::run(arguments, output).await {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure);
            failure.exit().into()
        }
    }
}
