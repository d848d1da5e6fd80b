//! Commands about log files, receipts and the feed. A new one is a file, and here its module and its
//! definition.

mod convert;
mod export;
mod export_all;
mod feed;
mod keys;
mod sign;
mod verify;

use crate::commands::definition::{Definition, local, online};

/// Defines the commands, in the order of `--help`.
pub(super) fn commands() -> Vec<Definition> {
    vec![
        online("export", "Export a match's log as a file that anybody can verify", export::Export::run),
        online("export-all", "Export the logs of many matches into a folder", export_all::ExportAll::run),
        local("verify", "Verify log files, without a service", verify::Verify::run),
        local("convert", "Convert a log file to its other form", convert::Convert::run),
        online("feed", "Read the events of all matches, for auditors and apps", feed::Feed::run),
        online("keys", "List the keys that the service signs with", keys::Keys::run),
        online("sign", "Have the service sign the newest event of a match, as a receipt", sign::Sign::run),
    ]
}
