//! The commands, one file each: arguments, help, execution. A new command is a file, a line in its folder's
//! `mod.rs`, and here a variant with its arm in `run`.

mod access;
mod logs;
mod matchmaking;
mod playing;
mod viewing;

use clap::Subcommand;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Session;

use self::access::{login, logout, rotate};
use self::logs::{convert, export, feed, keys, sign, verify};
use self::matchmaking::{claim, fork, games, matches, new, rematch};
use self::playing::{abort, bot, check, draw, legal, make_move, resign};
use self::viewing::{events, replay, show, watch};

/// A command with its arguments. The order is that of `--help`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the games, or show one with its rules
    Games(games::Games),
    /// Create a match, optionally with bots
    New(new::New),
    /// Claim a seat of a match
    Claim(claim::Claim),
    /// Show the board, now or at an earlier position
    Show(show::Show),
    /// List the legal moves
    Legal(legal::Legal),
    /// Make a move
    Move(make_move::MakeMove),
    /// Offer a draw, or answer an offer
    Draw(draw::Draw),
    /// Resign a match
    Resign(resign::Resign),
    /// Abort a match before it has really begun
    Abort(abort::Abort),
    /// Create a rematch with seats swapped
    Rematch(rematch::Rematch),
    /// Create a match that continues from a position of another one
    Fork(fork::Fork),
    /// Check whether a move is legal, without making it
    Check(check::Check),
    /// Follow a match and draw the board after each turn
    Watch(watch::Watch),
    /// List the events of a match
    Events(events::Events),
    /// List matches: open, running, finished, or your own
    Matches(matches::Matches),
    /// Replace a seat's token
    Rotate(rotate::Rotate),
    /// Store an API key for a server
    Login(login::Login),
    /// Remove the stored API key of a server
    Logout(logout::Logout),
    /// Play a seat by program until the match is over
    Bot(bot::Bot),
    /// Export a match's log as a file that anybody can verify
    Export(export::Export),
    /// Verify log files, without a service
    Verify(verify::Verify),
    /// Convert a log file to its other form
    Convert(convert::Convert),
    /// Step through a match, from a file or from the service
    Replay(replay::Replay),
    /// Read the events of all matches, for auditors and apps
    Feed(feed::Feed),
    /// List the keys that the service signs with
    Keys(keys::Keys),
    /// Have the service sign the newest event of a match, as a receipt
    Sign(sign::Sign),
}

/// Runs the command, connected if it needs the service.
pub(crate) async fn run(command: Command, global: &Global, output: Output) -> Result<Exit, Failure> {
    let session = async || Session::connect(global, output).await;
    match command {
        Command::Games(command) => command.run(&session().await?).await,
        Command::New(command) => command.run(&session().await?).await,
        Command::Claim(command) => command.run(&session().await?).await,
        Command::Show(command) => command.run(&session().await?).await,
        Command::Legal(command) => command.run(&session().await?).await,
        Command::Move(command) => command.run(&session().await?).await,
        Command::Draw(command) => command.run(&session().await?).await,
        Command::Resign(command) => command.run(&session().await?).await,
        Command::Abort(command) => command.run(&session().await?).await,
        Command::Rematch(command) => command.run(&session().await?).await,
        Command::Fork(command) => command.run(&session().await?).await,
        Command::Check(command) => return command.run(&session().await?).await,
        Command::Watch(command) => command.run(&session().await?).await,
        Command::Events(command) => command.run(&session().await?).await,
        Command::Matches(command) => command.run(&session().await?).await,
        Command::Rotate(command) => command.run(&session().await?).await,
        Command::Login(command) => command.run(&session().await?).await,
        Command::Logout(command) => command.run(&global.server, output),
        Command::Bot(command) => command.run(&session().await?).await,
        Command::Export(command) => command.run(&session().await?).await,
        Command::Verify(command) => return command.run(output),
        Command::Convert(command) => command.run(output),
        Command::Replay(command) => match command.file() {
            Some(path) => command.run_file(&path, output).await,
            None => command.run(&session().await?).await,
        },
        Command::Feed(command) => command.run(&session().await?).await,
        Command::Keys(command) => command.run(&session().await?).await,
        Command::Sign(command) => command.run(&session().await?).await,
    }?;
    Ok(Exit::Success)
}
