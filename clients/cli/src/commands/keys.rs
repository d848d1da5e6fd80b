//! `matchbook keys`: what the service's signatures are checked with.

use clap::Args;
use prost_types::Timestamp;
use wire::v1::SigningKey;

use crate::credentials::Session;
use crate::failure::Failure;

const AFTER_HELP: &str = "\
Examples:
  matchbook keys                               the one in use first
  matchbook keys > keys.txt
  matchbook verify match.jsonl --key keys.txt  at any later time

Keys that come from the service vouch for nothing by themselves: compare them with what its
operator has made known elsewhere, or with what you have kept.";

/// Arguments of `matchbook keys`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Keys {}

impl Keys {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let answer = session.service.list_keys().await?;
        session.output.json("ListKeysResponse", &answer)?;
        session.output.text(&answer.keys.iter().map(line).collect::<String>())
    }
}

/// The key comes first, so that the lines are a file for `verify --key`.
fn line(key: &SigningKey) -> String {
    let time =
        |time: &Option<Timestamp>, none: &str| time.map_or_else(|| none.to_owned(), |time| time.to_string());
    let (from, until) = (time(&key.from_time, "the beginning"), time(&key.until_time, "now"));
    format!("{}  from {from} until {until}\n", board::printable(&key.public_key))
}
