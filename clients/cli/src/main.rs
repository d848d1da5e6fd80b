//! `matchbook`, the command-line client: reads the arguments, runs one command,
//! tells what went wrong and exits with the code that says so.

mod advice;
mod arguments;
mod bot;
mod commands;
mod credentials;
mod directory_table;
mod failure;
mod json;
mod key_store;
mod known_keys;
mod lineage;
mod log_source;
mod moment;
mod option_value;
mod output;
mod playback;
mod present;
mod seat_name;
mod shown_to;
mod spectate;
mod state_file;
mod time_control;
mod token_store;
mod told_report;

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
