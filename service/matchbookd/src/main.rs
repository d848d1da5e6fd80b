//! The program `matchbookd`: parses its arguments, runs one command, and maps its result to an exit code.

mod arguments;
mod commands;
mod configuration;
mod exit_status;
mod health_client;
mod signals;
mod similar;
mod startup_banner;

use std::process::ExitCode;

use mimalloc::MiMalloc;

use crate::arguments::{Command, Invocation, KeyCommand};
use crate::exit_status::{CommandFailure, ExitStatus};

/// A call makes hundreds of small allocations, often freed by another thread, which mimalloc handles well.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match result().await {
        Ok(()) => ExitStatus::Success.into(),
        Err(CommandFailure { status, text, .. }) => {
            eprintln!("matchbookd: {text}");
            status.into()
        }
    }
}

async fn result() -> Result<(), CommandFailure> {
    let (invocation, places) = arguments::read().map_err(|text| CommandFailure::usage(&text))?;
    let result = match invocation {
        Invocation::Run(command) => run(command).await,
        Invocation::Print(serve, text) => commands::print_config(*serve, &text),
    };
    result.map_err(|failure| match failure.setting.and_then(|setting| places.of(setting)) {
        Some(place) => CommandFailure { text: format!("{place}: {}", failure.text), ..failure },
        None => failure,
    })
}

async fn run(command: Command) -> Result<(), CommandFailure> {
    match command {
        Command::Serve(arguments) => commands::serve(*arguments).await,
        Command::Migrate(arguments) => commands::migrate(arguments).await,
        Command::CheckRules(arguments) => commands::check_rules(*arguments).await,
        Command::Archive(arguments) => commands::archive(*arguments).await,
        Command::Key(KeyCommand::New(arguments)) => commands::new_key(&arguments),
        Command::Key(KeyCommand::Rotate(arguments)) => commands::rotate_key(*arguments).await,
        Command::Healthcheck(arguments) => commands::healthcheck(&arguments).await,
        Command::Completions(arguments) => commands::completions(&arguments),
        Command::Man(arguments) => commands::man(&arguments),
    }
}
