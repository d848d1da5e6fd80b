//! Commands that find, create and join matches. A new one is a file, and here its module and its
//! definition.

mod claim;
mod fork;
mod games;
mod labels;
mod matches;
mod new;
mod rematch;

use crate::commands::definition::{Definition, online};

/// Defines the commands, in the order of `--help`.
pub(super) fn commands() -> Vec<Definition> {
    vec![
        online("games", "List the games, or show one with its rules", games::ShowGames::run),
        online("matches", "List matches: open, running, finished, or your own", matches::Matches::run),
        online("labels", "Show or replace the labels of one of your matches", labels::ShowLabels::run),
        online("new", "Create a match, optionally with bots", new::New::run),
        online("claim", "Claim a seat of a match", claim::Claim::run),
        online("rematch", "Create a rematch with seats swapped", rematch::Rematch::run),
        online("fork", "Create a match that continues from a position of another one", fork::Fork::run),
    ]
}
