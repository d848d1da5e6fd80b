//! What a player types: a move in the game's notation, or a command after a slash.

use std::str::FromStr;

/// A line that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// A move in notation.
    Move(String),
    Command(Command),
}

/// A command of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Rules,
    Legal,
    Choose,
    Draw,
    Takeback,
    Accept,
    Decline,
    Resign,
    Abort,
    Rematch,
    Quit,
}

/// The commands with their words and help.
pub(super) const COMMANDS: [(&str, Command, &str); 12] = [
    ("/help", Command::Help, "this help"),
    ("/rules", Command::Rules, "the rules of the game"),
    ("/legal", Command::Legal, "list the legal moves"),
    ("/choose", Command::Choose, "build a move by choosing its parts"),
    ("/draw", Command::Draw, "offer a draw"),
    ("/takeback", Command::Takeback, "ask to take back your last move"),
    ("/accept", Command::Accept, "accept what the other seat proposes"),
    ("/decline", Command::Decline, "decline it"),
    ("/resign", Command::Resign, "resign: the other seat wins"),
    ("/abort", Command::Abort, "end the match without a winner, before its first move"),
    ("/rematch", Command::Rematch, "play again with seats swapped, once the match is over"),
    ("/quit", Command::Quit, "leave; the seat stays yours"),
];

impl FromStr for Typed {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = line.trim();
        if !line.starts_with('/') {
            return Ok(Self::Move(line.to_owned()));
        }
        let known = COMMANDS.iter().find(|(word, ..)| *word == line);
        let command = known.map(|(_, command, _)| Self::Command(*command));
        command.ok_or_else(|| format!("there is no command {line}; /help lists them"))
    }
}

/// Lists the commands, one per line.
pub(super) fn help() -> String {
    let line = |(word, _, help): &(&str, Command, &str)| format!("  {word:<10} {help}\n");
    let commands: String = COMMANDS.iter().map(line).collect();
    format!("Type a move in the game's notation, or a command:\n{commands}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_move_or_a_command() {
        assert_eq!(" 3,5 ".parse(), Ok(Typed::Move("3,5".to_owned())));
        assert_eq!("draw".parse(), Ok(Typed::Move("draw".to_owned())), "a game may have such a move");
        for (word, command, _) in COMMANDS {
            assert_eq!(word.parse(), Ok(Typed::Command(command)));
            assert!(help().contains(word));
        }
        assert!("/drow".parse::<Typed>().unwrap_err().contains("/help"));
    }
}
