//! Global flags, and the values that several commands take. A command's own arguments are in its file.

mod game_option;
mod label;
mod match_filter;
mod match_id;
mod seat_name;
mod time_control;
mod timestamp;
mod visibility;
mod written_move;

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Args;

pub(crate) use game_option::{GameOption, game_options};
pub(crate) use label::{Label, labels};
pub(crate) use match_filter::FilterArguments;
pub(crate) use match_id::match_id;
pub(crate) use seat_name::{SeatName, SeatTitles};
pub(crate) use time_control::{TIME_CONTROL_SYNTAX, TimeControlArgument};
pub(crate) use timestamp::timestamp;
pub(crate) use visibility::VisibilityArgument;
pub(crate) use written_move::WrittenMove;

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
    #[arg(long, global = true, env = "MATCHBOOK_CA_CERT", value_name = "PATH", value_parser = any_path)]
    pub ca_cert: Option<PathBuf>,
    /// Seat's token or API key; default: the stored token of the seat, else the key stored by `matchbook
    /// login`
    #[arg(long, global = true, env = "MATCHBOOK_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Print the service's responses as JSON, one object per line
    #[arg(long, global = true)]
    pub json: bool,
}

/// Parses a path. Without this, an empty one would be refused, also from a variable that is set to nothing.
fn any_path(text: &str) -> Result<PathBuf, Infallible> {
    Ok(PathBuf::from(text))
}
