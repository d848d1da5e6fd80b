//! `matchbook keys`: lists the keys that verify the service's signatures.

use clap::Args;
use prost_types::Timestamp;
use wire::v1::{ListKeysRequest, SigningKey};

use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook keys                               the current key first
  matchbook keys > keys.txt
  matchbook verify match.jsonl --key keys.txt  at any later time

Keys fetched from the service prove nothing by themselves: compare them with keys
that its operator published elsewhere, or that you stored earlier.";

/// Arguments of `matchbook keys`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Keys {}

impl Keys {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let mut request = ListKeysRequest::default();
        loop {
            let page = session.client.list_keys(request.clone()).await?;
            session.output.json("ListKeysResponse", &page)?;
            session.output.text(&page.keys.iter().map(line).collect::<String>())?;
            // A page without keys makes no progress, whatever its token.
            if page.next_page_token.is_empty() || page.keys.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }
}

/// Puts the key first, so that the output is a file for `verify --key`.
fn line(key: &SigningKey) -> String {
    let time =
        |time: &Option<Timestamp>, none: &str| time.map_or_else(|| none.to_owned(), |time| time.to_string());
    let (from, until) = (time(&key.from_time, "the beginning"), time(&key.until_time, "now"));
    format!("{}  from {from} until {until}\n", board::printable(&key.public_key))
}
