//! `matchbook webhook update`, `delete`, `rotate` and `ping`.

use clap::{ArgGroup, Args};
use matchbook_client::Client;
use wire::v1::{
    DeleteWebhookRequest, GetWebhookRequest, PingWebhookRequest, RotateWebhookSecretRequest,
    UpdateWebhookRequest, WebhookKinds,
};

use super::shown::webhook_text;
use crate::failure::Failure;
use crate::output::Output;

const UPDATE_AFTER_HELP: &str = "\
Examples:
  matchbook webhook update WEBHOOK --url https://shop.example/new-hook
  matchbook webhook update WEBHOOK --kind match_ended
  matchbook webhook update WEBHOOK --disable";

const ROTATE_AFTER_HELP: &str = "\
Examples:
  matchbook webhook rotate WEBHOOK

The new secret is printed once. For a day both secrets sign each delivery, so that the
receiver can be changed meanwhile.";

/// The arguments of `matchbook webhook update` of which at least one is needed.
const CHANGES: [&str; 5] = ["url", "kinds", "all_kinds", "enable", "disable"];

/// Arguments of `matchbook webhook update`.
#[derive(Args)]
#[command(
    after_help = UPDATE_AFTER_HELP,
    group = ArgGroup::new("change").args(CHANGES).required(true).multiple(true),
)]
pub(super) struct Update {
    /// Id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook_id: String,
    /// New URL
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Kind of events to send from now on, such as match_ended; repeatable
    #[arg(long = "kind", value_name = "KIND", conflicts_with = "all_kinds")]
    kinds: Vec<String>,
    /// Send all kinds of events from now on
    #[arg(long)]
    all_kinds: bool,
    /// Resume deliveries, including events missed meanwhile
    #[arg(long, conflicts_with = "disable")]
    enable: bool,
    /// Stop deliveries
    #[arg(long)]
    disable: bool,
}

/// Arguments of `matchbook webhook delete`.
#[derive(Args)]
#[command(after_help = "Examples:\n  matchbook webhook delete WEBHOOK")]
pub(super) struct Delete {
    /// Id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook_id: String,
}

/// Arguments of `matchbook webhook rotate`.
#[derive(Args)]
#[command(after_help = ROTATE_AFTER_HELP)]
pub(super) struct Rotate {
    /// Id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook_id: String,
}

/// Arguments of `matchbook webhook ping`.
#[derive(Args)]
#[command(after_help = "Examples:\n  matchbook webhook ping WEBHOOK")]
pub(super) struct Ping {
    /// Id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook_id: String,
}

impl Update {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let changes_kinds = self.all_kinds || !self.kinds.is_empty();
        let request = UpdateWebhookRequest {
            webhook_id: self.webhook_id,
            url: self.url,
            kinds: changes_kinds.then_some(WebhookKinds { kinds: self.kinds }),
            enabled: (self.enable || self.disable).then_some(self.enable),
        };
        let answer = client.update_webhook(request).await?;
        output.json("UpdateWebhookResponse", &answer)?;
        output.text(&webhook_text(&answer.webhook.unwrap_or_default()))
    }
}

impl Delete {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let answer = client.delete_webhook(DeleteWebhookRequest { webhook_id: self.webhook_id }).await?;
        output.json("DeleteWebhookResponse", &answer)?;
        output.text("The webhook was deleted.\n")
    }
}

impl Rotate {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let webhook_id = self.webhook_id;
        let current = client.get_webhook(GetWebhookRequest { webhook_id: webhook_id.clone() }).await?;
        let current_generation = current.webhook.unwrap_or_default().secret_generation;
        let request = RotateWebhookSecretRequest { webhook_id, current_generation };
        let answer = client.rotate_webhook_secret(request).await?;
        output.json("RotateWebhookSecretResponse", &answer)?;
        output.text(&webhook_text(&answer.webhook.unwrap_or_default()))?;
        output.text(&format!("New secret, not shown again: {}\n", board::printable(&answer.secret)))
    }
}

impl Ping {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let answer = client.ping_webhook(PingWebhookRequest { webhook_id: self.webhook_id }).await?;
        output.json("PingWebhookResponse", &answer)?;
        output.text(&match answer.delivered {
            true => "The receiver took the ping.\n".to_owned(),
            false => format!("The ping was not delivered: {}\n", board::printable(&answer.failure)),
        })
    }
}
