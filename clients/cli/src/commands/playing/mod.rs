//! Commands of a seat while a match is played. A new one is a file, and here its module, its variant with
//! its help, and its arm.

mod abort;
mod bot;
mod check;
mod draw;
mod legal;
mod make_move;
mod resign;

use clap::Subcommand;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Session;

/// A command with its arguments, in the order of `--help`.
#[derive(Subcommand)]
pub(crate) enum PlayingCommand {
    /// List the legal moves
    Legal(legal::Legal),
    /// Check whether a move is legal, without making it
    Check(check::Check),
    /// Make a move
    Move(make_move::MakeMove),
    /// Play a seat by program until the match is over
    Bot(bot::Bot),
    /// Offer a draw, or answer an offer
    Draw(draw::Draw),
    /// Resign a match
    Resign(resign::Resign),
    /// Abort a match before it has really begun
    Abort(abort::Abort),
}

impl PlayingCommand {
    /// Runs the command, connected if it needs the service.
    pub(super) async fn run(self, global: &Global, output: Output) -> Result<Exit, Failure> {
        let session = Session::connect(global, output).await?;
        match self {
            Self::Legal(command) => command.run(&session).await,
            Self::Check(command) => return command.run(&session).await,
            Self::Move(command) => command.run(&session).await,
            Self::Bot(command) => command.run(&session).await,
            Self::Draw(command) => command.run(&session).await,
            Self::Resign(command) => command.run(&session).await,
            Self::Abort(command) => command.run(&session).await,
        }?;
        Ok(Exit::Success)
    }
}
