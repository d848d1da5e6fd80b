//! Commands about log files, receipts and the feed. A new one is a file, and here its module, its variant
//! with its help, and its arm.

mod convert;
mod export;
mod feed;
mod keys;
mod sign;
mod verify;

use clap::Subcommand;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Session;

/// A command with its arguments, in the order of `--help`.
#[derive(Subcommand)]
pub(crate) enum LogCommand {
    /// Export a match's log as a file that anybody can verify
    Export(export::Export),
    /// Verify log files, without a service
    Verify(verify::Verify),
    /// Convert a log file to its other form
    Convert(convert::Convert),
    /// Read the events of all matches, for auditors and apps
    Feed(feed::Feed),
    /// List the keys that the service signs with
    Keys(keys::Keys),
    /// Have the service sign the newest event of a match, as a receipt
    Sign(sign::Sign),
}

impl LogCommand {
    /// Runs the command, connected if it needs the service.
    pub(super) async fn run(self, global: &Global, output: Output) -> Result<Exit, Failure> {
        let session = async || Session::connect(global, output).await;
        match self {
            Self::Export(command) => command.run(&session().await?).await,
            Self::Verify(command) => return command.run(output),
            Self::Convert(command) => command.run(output),
            Self::Feed(command) => command.run(&session().await?).await,
            Self::Keys(command) => command.run(&session().await?).await,
            Self::Sign(command) => command.run(&session().await?).await,
        }?;
        Ok(Exit::Success)
    }
}
