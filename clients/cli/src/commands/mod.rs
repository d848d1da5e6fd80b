//! The commands, one folder per group and one file each: arguments, help, execution.

mod access;
mod command;
mod definition;
mod installing;
mod logs;
mod matchmaking;
mod playing;
mod viewing;
mod webhooks;

use self::definition::Definition;

pub(crate) use command::Command;

/// Defines the commands of all groups, in the order of `--help`.
fn commands() -> impl Iterator<Item = Definition> {
    let groups = [
        matchmaking::commands(),
        playing::commands(),
        viewing::commands(),
        access::commands(),
        logs::commands(),
        webhooks::commands(),
        installing::commands(),
    ];
    groups.into_iter().flatten()
}
