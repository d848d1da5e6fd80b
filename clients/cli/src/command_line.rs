//! The whole command line: global flags and one command.

use clap::Parser;

use crate::arguments::Global;
use crate::commands::Command;

const AFTER_HELP: &str = "\
Examples:
  matchbook play                                        play in this terminal
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

    /// Calls `check` with every command that runs, by its whole name.
    fn for_each(command: &clap::Command, name: &str, check: &mut impl FnMut(&clap::Command, &str)) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            for_each(inner, &format!("{name} {}", inner.get_name()), check);
        }
        if !command.has_subcommands() {
            check(command, name);
        }
    }

    #[test]
    fn help_texts_keep_the_house_style() {
        let mut checked = 0;
        for_each(&CommandLine::command(), "matchbook", &mut |command, name| {
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.starts_with("Examples:\n") || examples.contains("\nExamples:\n"), "{name}");
            assert!(examples.contains(&format!("\n  {name}")), "{name}");
            assert!(examples.lines().all(|line| line.chars().count() <= 98), "{name}: {examples}");
            let about = command.get_about().map(ToString::to_string);
            let helps = command.get_arguments().map(|argument| argument.get_help().map(ToString::to_string));
            for help in std::iter::once(about).chain(helps) {
                let help = help.unwrap_or_else(|| panic!("{name} has a flag without a help text"));
                let begins = help.starts_with(|first: char| first.is_ascii_uppercase());
                assert!(begins && !help.ends_with('.'), "{name}: {help}");
                checked += 1;
            }
        });
        assert!(checked > 50, "{checked}");
    }
}
