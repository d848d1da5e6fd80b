//! Commands about credentials. A new one is a file, and here its module, its variant with its help, and its
//! arm.

mod login;
mod logout;
mod rotate;

use clap::Subcommand;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Session;

/// A command with its arguments, in the order of `--help`.
#[derive(Subcommand)]
pub(crate) enum AccessCommand {
    /// Replace a seat's token
    Rotate(rotate::Rotate),
    /// Store an API key for a server
    Login(login::Login),
    /// Remove the stored API key of a server
    Logout(logout::Logout),
}

impl AccessCommand {
    /// Runs the command, connected if it needs the service.
    pub(super) async fn run(self, global: &Global, output: Output) -> Result<Exit, Failure> {
        let session = async || Session::connect(global, output).await;
        match self {
            Self::Rotate(command) => command.run(&session().await?).await,
            Self::Login(command) => command.run(&session().await?).await,
            Self::Logout(command) => command.run(&global.server, output),
        }?;
        Ok(Exit::Success)
    }
}
