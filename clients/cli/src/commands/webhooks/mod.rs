//! The command about webhooks, with its subcommands. A new one is a file, and here its module and its entry
//! in `webhook.rs`.

mod change;
mod create;
mod dead_letters;
mod list;
mod shown;
mod webhook;

use crate::commands::definition::{Definition, online};

/// Defines the commands, in the order of `--help`.
pub(super) fn commands() -> Vec<Definition> {
    vec![online("webhook", "Have the events of your matches sent to a URL", webhook::Webhook::run)]
}
