//! The commands, one folder per group and one file each: arguments, help, execution.

mod access;
mod logs;
mod matchmaking;
mod playing;
mod viewing;

use clap::Subcommand;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// A command of one of the groups, in the order of `--help`.
#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Matchmaking(matchmaking::MatchmakingCommand),
    #[command(flatten)]
    Playing(playing::PlayingCommand),
    #[command(flatten)]
    Viewing(viewing::ViewingCommand),
    #[command(flatten)]
    Access(access::AccessCommand),
    #[command(flatten)]
    Logs(logs::LogCommand),
}

/// Runs the command.
pub(crate) async fn run(command: Command, global: &Global, output: Output) -> Result<Exit, Failure> {
    match command {
        Command::Matchmaking(command) => command.run(global, output).await,
        Command::Playing(command) => command.run(global, output).await,
        Command::Viewing(command) => command.run(global, output).await,
        Command::Access(command) => command.run(global, output).await,
        Command::Logs(command) => command.run(global, output).await,
    }
}
