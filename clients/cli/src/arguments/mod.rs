//! The command line: global flags, and the values that several commands take. A command's own arguments are
//! in its file.

mod game_option;
mod match_id;
mod seat_name;
mod time_control;
mod timestamp;
mod visibility;

use std::path::PathBuf;

use clap::{Args, Parser};

use crate::commands::Command;

pub(crate) use game_option::{GameOption, game_options};
pub(crate) use match_id::match_id;
pub(crate) use seat_name::{SeatName, SeatTitles, viewing_seat};
pub(crate) use time_control::{TIME_CONTROL_SYNTAX, TimeControlArgument};
pub(crate) use timestamp::timestamp;
pub(crate) use visibility::VisibilityArgument;

const AFTER_HELP: &str = "\
Examples:
  matchbook new angels-and-demons --bots 2 --watch      watch two bots play
  matchbook new angels-and-demons --seat angels --name Ann
  matchbook claim MATCH demons --name Bob               claim the other seat
  matchbook move MATCH 3,5
  matchbook watch MATCH
  matchbook matches --status open                       find a match to join

Exit codes:
  0  success
  1  the service refused the call (check: the move is not legal)
  2  invalid arguments
  3  the service cannot be reached
  4  a local failure, for example the token file cannot be written
  5, 6, 7  results of verify: see `matchbook verify --help`

Environment:
  MATCHBOOK_SERVER  same as --server
  MATCHBOOK_TOKEN   same as --token
  MATCHBOOK_CA_CERT same as --ca-cert
  MATCHBOOK_STATE   folder of tokens.json and keys.json (default:
                    $XDG_STATE_HOME/matchbook, then ~/.local/state/matchbook)
  NO_COLOR          disables colours";

/// Play turn-based games on a Matchbook service.
#[derive(Parser)]
#[command(name = "matchbook", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Flags of every command.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Address of the service
    #[arg(
        long,
        global = true,
        env = "MATCHBOOK_SERVER",
        default_value = "http://127.0.0.1:7420",
        value_name = "URL"
    )]
    pub server: String,
    /// PEM file of the certificates to trust for https, instead of the system's
    #[arg(long, global = true, env = "MATCHBOOK_CA_CERT", value_name = "PATH")]
    pub ca_cert: Option<PathBuf>,
    /// Seat's token or API key; default: the stored token of the seat, else the key stored by `matchbook
    /// login`
    #[arg(long, global = true, env = "MATCHBOOK_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Print the service's responses as JSON, one object per line
    #[arg(long, global = true)]
    pub json: bool,
}
