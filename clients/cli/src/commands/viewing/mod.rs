//! Commands that show a match. A new one is a file, and here its module, its variant with its help, and its
//! arm.

mod events;
mod replay;
mod show;
mod watch;

use clap::Subcommand;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Session;

/// A command with its arguments, in the order of `--help`.
#[derive(Subcommand)]
pub(crate) enum ViewingCommand {
    /// Show the board, now or at an earlier position
    Show(show::Show),
    /// Follow a match and draw the board after each turn
    Watch(watch::Watch),
    /// List the events of a match
    Events(events::Events),
    /// Step through a match, from a file or from the service
    Replay(replay::Replay),
}

impl ViewingCommand {
    /// Runs the command, connected if it needs the service.
    pub(super) async fn run(self, global: &Global, output: Output) -> Result<Exit, Failure> {
        let session = async || Session::connect(global, output).await;
        match self {
            Self::Show(command) => command.run(&session().await?).await,
            Self::Watch(command) => command.run(&session().await?).await,
            Self::Events(command) => command.run(&session().await?).await,
            Self::Replay(command) => match command.file() {
                Some(path) => command.run_file(&path, output).await,
                None => command.run(&session().await?).await,
            },
        }?;
        Ok(Exit::Success)
    }
}
