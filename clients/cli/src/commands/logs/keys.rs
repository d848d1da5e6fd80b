//! `matchbook keys`: lists the keys that verify the service's signatures.

use clap::Args;
use prost_types::Timestamp;
use wire::v1::SigningKey;

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
        let answer = session.client.list_keys().await?;
        session.output.json("ListKeysResponse", &answer)?;
        session.output.text(&answer.keys.iter().map(line).collect::<String>())
    }
}

/// Puts the key first, so that the output is a file for `verify --key`.
fn line(key: &SigningKey) -> String {
    let time =
        |time: &Option<Timestamp>, none: &str| time.map_or_else(|| none.to_owned(), |time| time.to_string());
    let (from, until) = (time(&key.from_time, "the beginning"), time(&key.until_time, "now"));
    format!("{}  from {from} until {until}\n", board::printable(&key.public_key))
}
