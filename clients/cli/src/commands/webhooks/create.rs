//! `matchbook webhook create`.

use clap::Args;
use matchbook_client::{Client, request_id};
use wire::v1::CreateWebhookRequest;

use super::shown::webhook_text;
use crate::failure::Failure;
use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  matchbook webhook create https://shop.example/hook
  matchbook webhook create https://shop.example/hook --kind match_started --kind match_ended

The secret is printed once: the receiver checks the signatures of deliveries with it
(docs/webhooks.md).";

/// Arguments of `matchbook webhook create`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Create {
    /// Where to send events: an https URL with a public address
    #[arg(value_name = "URL")]
    url: String,
    /// Kind of events to send, such as match_ended; repeatable; default: all
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<String>,
}

impl Create {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let request =
            CreateWebhookRequest { url: self.url, kinds: self.kinds, request_id: Some(request_id()) };
        let answer = client.create_webhook(request).await?;
        output.json("CreateWebhookResponse", &answer)?;
        output.text(&webhook_text(&answer.webhook.unwrap_or_default()))?;
        output.text(&format!("Secret, not shown again: {}\n", board::printable(&answer.secret)))
    }
}
