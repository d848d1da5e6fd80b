//! `matchbook`, the command-line client: parses the arguments, runs one command, reports a failure and exits
//! with its code.

mod arguments;
mod bot;
mod command_line;
mod commands;
mod credentials;
mod failure;
mod log_file;
mod mcp;
mod output;
mod seating;
mod session;
mod terminal;
mod viewing;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use crate::command_line::CommandLine;
use crate::output::Output;

#[tokio::main]
async fn main() -> ExitCode {
    let CommandLine { global, command } = CommandLine::parse();
    let output = Output::for_terminal(global.json);
    match command.run(&global, output, CommandLine::command).await {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure);
            failure.exit().into()
        }
    }
}
