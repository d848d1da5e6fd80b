//! `matchbook webhook`: manages the receivers of an application's events.

use clap::{Args, Subcommand};

use super::change::{Delete, Ping, Rotate, Update};
use super::create::Create;
use super::dead_letters::{Dead, Retry};
use super::list::{List, Show};
use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook webhook create https://shop.example/hook --kind match_ended
  matchbook webhook ping WEBHOOK        send a ping now
  matchbook webhook show WEBHOOK        its state, and the number of undelivered events
  matchbook webhook retry WEBHOOK       send its dead letters again

Webhooks belong to your API key (`matchbook login`).";

/// Arguments of `matchbook webhook`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Webhook {
    #[command(subcommand)]
    action: Action,
}

/// What to do with webhooks.
#[derive(Subcommand)]
enum Action {
    /// Create a webhook and print its secret
    Create(Create),
    /// List your webhooks
    List(List),
    /// Show a webhook
    Show(Show),
    /// Change a webhook's URL or kinds, or disable or enable it
    Update(Update),
    /// Delete a webhook and its dead letters
    Delete(Delete),
    /// Replace a webhook's secret; both secrets sign for a day
    Rotate(Rotate),
    /// Send a ping to a webhook now
    Ping(Ping),
    /// List a webhook's dead letters: events whose delivery was given up
    Dead(Dead),
    /// Send a webhook's dead letters again
    Retry(Retry),
}

impl Webhook {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.app_client()?;
        let (client, output) = (&client, session.output);
        match self.action {
            Action::Create(create) => create.run(client, output).await,
            Action::List(list) => list.run(client, output).await,
            Action::Show(show) => show.run(client, output).await,
            Action::Update(update) => update.run(client, output).await,
            Action::Delete(delete) => delete.run(client, output).await,
            Action::Rotate(rotate) => rotate.run(client, output).await,
            Action::Ping(ping) => ping.run(client, output).await,
            Action::Dead(dead) => dead.run(client, output).await,
            Action::Retry(retry) => retry.run(client, output).await,
        }
    }
}
