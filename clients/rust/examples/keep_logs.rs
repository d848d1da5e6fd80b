//! Saves the logs of all matches that are over: `keep_logs FOLDER [SERVER] [API_KEY]`.
//!
//! Each becomes a file `MATCH.jsonl`, which `matchbook verify` checks without the service. The service's
//! public keys, which a verifier needs, are printed: store them where nobody can replace them.

use std::env;
use std::error::Error;

use matchbook_client::Client;
use matchbook_client::v1::{ExportMatchesRequest, ListKeysRequest, MatchStatus};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: keep_logs FOLDER [SERVER] [API_KEY]")?;
    let server = env::args().nth(2).unwrap_or_else(|| "127.0.0.1:7420".to_owned());
    let mut client = Client::connect(&server).await?;
    if let Some(api_key) = env::args().nth(3) {
        client = client.with_api_key(&api_key)?;
    }
    let over = ExportMatchesRequest { status: Some(MatchStatus::Over.into()), ..Default::default() };
    let logs = client.save_logs(&folder, over).await?;
    eprintln!("{} logs saved, {} skipped", logs.saved.len(), logs.skipped.len());
    for key in client.list_keys(ListKeysRequest::default()).await?.keys {
        println!("{}", key.public_key);
    }
    Ok(())
}
