//! `matchbook logout`: removes the stored API key of a server.

use clap::Args;
use matchbook_client::canonical_server;
use serde_json::json;

use crate::arguments::Global;
use crate::credentials::{KeyStore, state_folder};
use crate::failure::Failure;
use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  matchbook logout
  matchbook logout --server https://play.example.org

The tokens of your seats stay, and the service still accepts the key: its operator
can remove it from the configuration.";

/// Arguments of `matchbook logout`: only global flags.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Logout {}

impl Logout {
    /// Removes the key without connecting: the server may be gone.
    pub(crate) async fn run(self, global: &Global, output: Output) -> Result<(), Failure> {
        let server = canonical_server(&global.server);
        let had_key = match state_folder() {
            Some(folder) => KeyStore::within(&folder).remove(&server)?,
            None => false,
        };
        output.object(&json!({ "logout": { "server": server, "hadKey": had_key } }))?;
        let server = board::printable(&server);
        output.text(&if had_key {
            format!("Removed the key for {server}.\n")
        } else {
            format!("No key was stored for {server}.\n")
        })
    }
}
