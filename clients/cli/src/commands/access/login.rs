//! `matchbook login`: stores an API key for a server.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::net::IpAddr;

use clap::Args;
use serde_json::json;
use tonic::transport::Uri;
use wire::v1::ListMatchesRequest;

use crate::credentials::is_api_key;
use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook login                      prompts for the key without echoing it
  matchbook login < key.txt
  matchbook login --server https://play.example.org

The operator of a service creates keys with `matchbookd key new`. Once the service has
accepted the key, it is stored for this server in a file that only you can read.
Commands send it with each call, together with your seat's token if you have one: it
lets them create and view private matches, and its rate limit applies. --token KEY
overrides it. The key is not taken from the command line, which other users of the
machine can see. `matchbook logout` removes it.";

/// Maximum bytes read; keys are far shorter.
const MAX_KEY_BYTES: u64 = 1_024;

/// Arguments of `matchbook login`: only global flags.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Login {}

impl Login {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let Some(keys) = &session.keys else {
            return Err(Failure::Usage(
                "no folder to store the key in: set MATCHBOOK_STATE to one".to_owned(),
            ));
        };
        let key = read_key(session.client.server())?;
        // Any call shows whether the service knows the key.
        let probe = ListMatchesRequest { page_size: 1, ..ListMatchesRequest::default() };
        session.client.with_api_key(&key)?.list_matches(probe).await?;
        let server = session.client.server();
        keys.put(server, &key)?;
        let path = keys.path();
        session.output.object(&json!({ "login": { "server": server, "file": path.to_string_lossy() } }))?;
        let (server, path) = (board::printable(server), board::printable(&path.to_string_lossy()));
        session.output.text(&format!("The service at {server} accepts this key. Stored in {path}.\n"))?;
        if is_sent_in_clear(session.client.server()) {
            let note = "Warning: http:// sends the key unencrypted over the network. Use https://.\n";
            session.output.text(note)?;
        }
        Ok(())
    }
}

/// Returns whether calls go unencrypted to another machine.
fn is_sent_in_clear(server: &str) -> bool {
    let Ok(uri) = server.parse::<Uri>() else { return false };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_local = host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    uri.scheme_str() == Some("http") && !is_local
}

/// Reads the key from the keyboard without echo, or from the first line of standard input.
fn read_key(server: &str) -> Result<String, Failure> {
    let line = if io::stdin().is_terminal() {
        let prompt = format!("API key for {}: ", board::printable(server));
        rpassword::prompt_password(prompt).map_err(Failure::Input)?
    } else {
        let mut line = String::new();
        let mut input = io::Read::take(io::stdin().lock(), MAX_KEY_BYTES);
        input.read_line(&mut line).map_err(Failure::Input)?;
        line
    };
    let key = line.trim();
    if is_api_key(key) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(key.to_owned())
    } else {
        // The error does not repeat the text: it may be another secret.
        Err(Failure::Usage("not an API key: keys start with `mbk_` and have no blanks".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_http_to_another_machine_is_sent_in_clear() {
        for server in ["http://example.org:7420", "http://192.0.2.1:7420", "http://[2001:db8::1]:7420"] {
            assert!(is_sent_in_clear(server), "{server}");
        }
        for server in
            ["https://example.org", "http://localhost:7420", "http://127.0.0.1:7420", "http://[::1]:7420"]
        {
            assert!(!is_sent_in_clear(server), "{server}");
        }
    }
}
