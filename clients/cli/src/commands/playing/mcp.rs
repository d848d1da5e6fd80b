//! `matchbook mcp`: serves the Model Context Protocol on the standard streams.

use clap::Args;

use crate::failure::Failure;
use crate::mcp::serve;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook mcp                        started by a program that runs a language model

A host's configuration, for example:
  {\"mcpServers\": {\"matchbook\": {\"command\": \"matchbook\", \"args\": [\"mcp\"]}}}

The model can list games, read rules, create and join matches, look at its seat's
view, list or build legal moves, move, wait for the opponent, offer a draw or a
takeback, and resign. It plays through the seats whose tokens this program stores;
no answer contains a token. A bot that it plays against runs in this program, and goes
on when the model returns to the match after a restart.";

/// Arguments of `matchbook mcp`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Mcp {}

impl Mcp {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        serve(session.clone()).await
    }
}
