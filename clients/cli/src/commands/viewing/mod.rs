//! Commands that show a match. A new one is a file, and here its module and its definition.

mod events;
mod replay;
mod show;
mod watch;

use crate::commands::definition::{Definition, local, online};

/// Defines the commands, in the order of `--help`.
pub(super) fn commands() -> Vec<Definition> {
    vec![
        online("show", "Show the board, now or at an earlier position", show::Show::run),
        online("watch", "Follow a match and draw the board after each turn", watch::Watch::run),
        online("events", "List the events of a match", events::Events::run),
        local("replay", "Step through a match, from a file or from the service", replay::Replay::run),
    ]
}
