//! `matchbook logout`: forget the API key of a server.

use clap::Args;
use matchbook_client::canonical_server;
use serde_json::json;

use crate::failure::Failure;
use crate::key_store::KeyStore;
use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  matchbook logout
  matchbook logout --server https://play.example.org

The tokens of your seats stay, and so does the key on the service: whoever runs it
can take it out of the configuration.";

/// Arguments of `matchbook logout`: none of its own.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Logout {}

impl Logout {
    /// Needs no connection: the server may be gone for good.
    pub(crate) fn run(self, server: &str, keys: Option<&KeyStore>, output: Output) -> Result<(), Failure> {
        let server = canonical_server(server);
        let had_key = match keys {
            Some(keys) => keys.remove(&server)?,
            None => false,
        };
        output.object(&json!({ "logout": { "server": server, "hadKey": had_key } }))?;
        let server = board::printable(&server);
        output.text(&if had_key {
            format!("The key for {server} is forgotten.\n")
        } else {
            format!("No key was stored for {server}.\n")
        })
    }
}
