//! The whole command line: global flags and one command.

use clap::Parser;

use crate::arguments::Global;
use crate::commands::Command;

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
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    /// Among others: no two commands share a name, and no two arguments of a command a flag.
    #[test]
    fn clap_accepts_all_commands_and_arguments() {
        CommandLine::command().debug_assert();
    }
}
