//! `matchbook webhook list` and `show`.

use clap::Args;
use matchbook_client::Client;
use wire::v1::{GetWebhookRequest, ListWebhooksRequest};

use super::shown::webhook_text;
use crate::failure::Failure;
use crate::output::Output;

/// Arguments of `matchbook webhook list`.
#[derive(Args)]
#[command(after_help = "Examples:\n  matchbook webhook list\n  matchbook webhook list --all-owners")]
pub(super) struct List {
    /// List the webhooks of all API keys; requires the role admin
    #[arg(long)]
    all_owners: bool,
}

/// Arguments of `matchbook webhook show`.
#[derive(Args)]
#[command(after_help = "Examples:\n  matchbook webhook show WEBHOOK")]
pub(super) struct Show {
    /// Id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook_id: String,
}

impl List {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let mut request = ListWebhooksRequest { all_owners: self.all_owners, ..Default::default() };
        loop {
            let page = client.list_webhooks(request.clone()).await?;
            output.json("ListWebhooksResponse", &page)?;
            output.text(&page.webhooks.iter().map(webhook_text).collect::<String>())?;
            if page.webhooks.is_empty() && request.page_token.is_empty() {
                output.text("No webhooks.\n")?;
            }
            // A page without webhooks makes no progress, whatever its token.
            if page.next_page_token.is_empty() || page.webhooks.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }
}

impl Show {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let answer = client.get_webhook(GetWebhookRequest { webhook_id: self.webhook_id }).await?;
        output.json("GetWebhookResponse", &answer)?;
        output.text(&webhook_text(&answer.webhook.unwrap_or_default()))
    }
}
