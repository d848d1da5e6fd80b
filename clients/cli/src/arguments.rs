//! What can be typed after `matchbook`: the global flags and the list of
//! commands. The arguments of a command are in its own file.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    abort, bot, check, claim, convert, draw, events, export, feed, fork, games, keys, legal, login, logout,
    make_move, matches, new, rematch, replay, resign, rotate, show, sign, verify, watch,
};

const AFTER_HELP: &str = "\
Examples:
  matchbook new angels-and-demons --bots 2 --watch      watch two bots play
  matchbook new angels-and-demons --seat angels --name Ann
  matchbook claim MATCH demons --name Bob               take the other seat
  matchbook move MATCH 3,5
  matchbook watch MATCH
  matchbook matches --status open                       find one to join

Exit codes:
  0  done
  1  the service refused it (check: the move is not legal)
  2  the arguments are wrong
  3  the service can't be reached
  4  something failed on this machine, for example writing the token file
  5, 6, 7  of verify: see `matchbook verify --help`

Environment:
  MATCHBOOK_SERVER  as --server        MATCHBOOK_TOKEN  as --token
  MATCHBOOK_CA_CERT as --ca-cert
  MATCHBOOK_STATE   folder of tokens.json and keys.json (else
                    $XDG_STATE_HOME/matchbook, else ~/.local/state/matchbook)
  NO_COLOR          no colours, also on a terminal";

/// Plays turn-based games on a Matchbook service.
#[derive(Parser)]
#[command(name = "matchbook", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Flags that every command takes.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Where the service listens.
    #[arg(
        long,
        global = true,
        env = "MATCHBOOK_SERVER",
        default_value = "http://127.0.0.1:7420",
        value_name = "URL"
    )]
    pub server: String,
    /// For https: believe the certificates of this PEM file instead of the system's.
    #[arg(long, global = true, env = "MATCHBOOK_CA_CERT", value_name = "PATH")]
    pub ca_cert: Option<PathBuf>,
    /// A seat's token or an API key; else the stored token of the seat, or the key
    /// of `matchbook login`.
    #[arg(long, global = true, env = "MATCHBOOK_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Print the service's answers as JSON, one object a line.
    #[arg(long, global = true)]
    pub json: bool,
}

/// One file a command, in `commands/`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the games, or show one with its rules.
    Games(games::Games),
    /// Create a match; with bots and an audience if you like.
    New(new::New),
    /// Take a seat of a match.
    Claim(claim::Claim),
    /// Draw the board, now or at an earlier position.
    Show(show::Show),
    /// List the moves you can make now.
    Legal(legal::Legal),
    /// Make a move.
    Move(make_move::MakeMove),
    /// Offer a draw, or answer the other seat's offer.
    Draw(draw::Draw),
    /// Give a match up.
    Resign(resign::Resign),
    /// Call a match off before it has really begun.
    Abort(abort::Abort),
    /// The same again with seats swapped.
    Rematch(rematch::Rematch),
    /// A new match that goes on from a position of another one.
    Fork(fork::Fork),
    /// Ask whether a move would be accepted, without making it.
    Check(check::Check),
    /// Follow a match, drawing the board after each turn.
    Watch(watch::Watch),
    /// List everything that has happened in a match.
    Events(events::Events),
    /// Find matches: open ones to join, running ones to watch, your own.
    Matches(matches::Matches),
    /// Give a seat a new token; the one before is void.
    Rotate(rotate::Rotate),
    /// Keep an API key for a server.
    Login(login::Login),
    /// Forget the API key of a server.
    Logout(logout::Logout),
    /// Play a seat by program until the match is over.
    Bot(bot::Bot),
    /// Fetch a match's log as a file that can be verified anywhere.
    Export(export::Export),
    /// Check log files, without a service.
    Verify(verify::Verify),
    /// Turn a log file into its other form.
    Convert(convert::Convert),
    /// Step through a match, from a file or from the service.
    Replay(replay::Replay),
    /// Read what happens in all matches, from any place on; for auditors and apps.
    Feed(feed::Feed),
    /// List the keys that the service signs and has signed with.
    Keys(keys::Keys),
    /// Have the service sign how far a match has come; a receipt for later.
    Sign(sign::Sign),
}
