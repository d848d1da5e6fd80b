//! `matchbook webhook dead` and `retry`.

use board::{counted, printable};
use clap::Args;
use matchbook_client::Client;
use wire::v1::{DeadLetter, ListDeadLettersRequest, RetryDeadLettersRequest};

use crate::failure::Failure;
use crate::output::Output;

/// Arguments of `matchbook webhook dead`.
#[derive(Args)]
#[command(after_help = "Examples:\n  matchbook webhook dead WEBHOOK")]
pub(super) struct Dead {
    /// Id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook_id: String,
}

const RETRY_AFTER_HELP: &str = "\
Examples:
  matchbook webhook retry WEBHOOK               send all dead letters again
  matchbook webhook retry WEBHOOK DELIVERY      send one of them again";

/// Arguments of `matchbook webhook retry`.
#[derive(Args)]
#[command(after_help = RETRY_AFTER_HELP)]
pub(super) struct Retry {
    /// Id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook_id: String,
    /// Ids of deliveries, as `matchbook webhook dead` lists them; default: all dead letters
    #[arg(value_name = "DELIVERY")]
    delivery_ids: Vec<String>,
}

impl Dead {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let mut request = ListDeadLettersRequest { webhook_id: self.webhook_id, ..Default::default() };
        loop {
            let page = client.list_dead_letters(request.clone()).await?;
            output.json("ListDeadLettersResponse", &page)?;
            output.text(&page.dead_letters.iter().map(line).collect::<String>())?;
            if page.dead_letters.is_empty() && request.page_token.is_empty() {
                output.text("No dead letters.\n")?;
            }
            // A page without dead letters makes no progress, whatever its token.
            if page.next_page_token.is_empty() || page.dead_letters.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }
}

impl Retry {
    pub(super) async fn run(self, client: &Client, output: Output) -> Result<(), Failure> {
        let request =
            RetryDeadLettersRequest { webhook_id: self.webhook_id, delivery_ids: self.delivery_ids };
        let answer = client.retry_dead_letters(request).await?;
        output.json("RetryDeadLettersResponse", &answer)?;
        let letters = counted(answer.retried_count, "dead letter", "dead letters");
        output.text(&format!("Sent again: {letters}.\n"))
    }
}

fn line(letter: &DeadLetter) -> String {
    let (id, kind) = (printable(&letter.delivery_id), printable(&letter.kind));
    let attempts = counted(letter.attempts, "attempt", "attempts");
    format!("{id}  {kind}  {attempts}  {}\n", printable(&letter.failure))
}
