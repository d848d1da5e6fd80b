//! Commands that find, create and join matches. A new one is a file, and here its module, its variant with
//! its help, and its arm.

mod claim;
mod fork;
mod games;
mod matches;
mod new;
mod rematch;

use clap::Subcommand;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Session;

/// A command with its arguments, in the order of `--help`.
#[derive(Subcommand)]
pub(crate) enum MatchmakingCommand {
    /// List the games, or show one with its rules
    Games(games::Games),
    /// List matches: open, running, finished, or your own
    Matches(matches::Matches),
    /// Create a match, optionally with bots
    New(new::New),
    /// Claim a seat of a match
    Claim(claim::Claim),
    /// Create a rematch with seats swapped
    Rematch(rematch::Rematch),
    /// Create a match that continues from a position of another one
    Fork(fork::Fork),
}

impl MatchmakingCommand {
    /// Runs the command, connected if it needs the service.
    pub(super) async fn run(self, global: &Global, output: Output) -> Result<Exit, Failure> {
        let session = Session::connect(global, output).await?;
        match self {
            Self::Games(command) => command.run(&session).await,
            Self::Matches(command) => command.run(&session).await,
            Self::New(command) => command.run(&session).await,
            Self::Claim(command) => command.run(&session).await,
            Self::Rematch(command) => command.run(&session).await,
            Self::Fork(command) => command.run(&session).await,
        }?;
        Ok(Exit::Success)
    }
}
