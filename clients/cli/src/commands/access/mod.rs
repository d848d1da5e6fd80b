//! Commands about credentials. A new one is a file, and here its module and its definition.

mod login;
mod logout;
mod redact_player;
mod rotate;

use crate::commands::definition::{Definition, local, online};

/// Defines the commands, in the order of `--help`.
pub(super) fn commands() -> Vec<Definition> {
    vec![
        online("rotate", "Replace a seat's token", rotate::Rotate::run),
        online("redact-player", "Erase the player of a seat", redact_player::RedactPlayer::run),
        online("login", "Store an API key for a server", login::Login::run),
        local("logout", "Remove the stored API key of a server", logout::Logout::run),
    ]
}
