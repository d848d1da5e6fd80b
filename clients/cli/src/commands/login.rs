//! `matchbook login`: keep an API key for a server.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::net::IpAddr;

use clap::Args;
use serde_json::json;
use tonic::transport::Uri;
use wire::v1::ListMatchesRequest;

use crate::credentials::Session;
use crate::failure::Failure;
use crate::key_store::is_api_key;

const AFTER_HELP: &str = "\
Examples:
  matchbook login                      asks for the key; what you type is not shown
  matchbook login < key.txt
  matchbook login --server https://play.example.org

Whoever runs the service makes keys with `matchbookd key new`. The key is tried,
then kept for this server in a file that only you can read. It is used where no
seat's token fits: by new, claim, matches, rotate, fork, and to look at private
matches. --token wins over it. It is never read from the command line, which other
users of the machine can see. `matchbook logout` forgets it.";

/// Longest line that is read; keys are far shorter.
const LONGEST_KEY: u64 = 1_024;

/// Arguments of `matchbook login`: none of its own.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Login {}

impl Login {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let Some(keys) = &session.keys else {
            return Err(Failure::Usage(
                "there is no place for the key: set MATCHBOOK_STATE to a folder".to_owned(),
            ));
        };
        let key = read_key(session.service.server())?;
        // Any call tells whether the service knows the key.
        let probe = ListMatchesRequest { page_size: Some(1), ..ListMatchesRequest::default() };
        session.service.with_token(&key)?.list_matches(probe).await?;
        let server = session.service.server();
        keys.put(server, &key)?;
        let path = keys.path();
        session.output.object(&json!({ "login": { "server": server, "file": path.to_string_lossy() } }))?;
        let (server, path) = (board::printable(server), board::printable(&path.to_string_lossy()));
        session.output.text(&format!("The service at {server} knows this key. Kept in {path}.\n"))?;
        if is_readable_on_the_way(session.service.server()) {
            let note =
                "Mind that http:// hides nothing: who stands on the way can read the key. Use https://.\n";
            session.output.text(note)?;
        }
        Ok(())
    }
}

/// Whether calls go unencrypted to another machine.
fn is_readable_on_the_way(server: &str) -> bool {
    let Ok(uri) = server.parse::<Uri>() else { return false };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_here = host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    uri.scheme_str() == Some("http") && !is_here
}

/// From the keyboard without showing it, or the first line of the standard input.
fn read_key(server: &str) -> Result<String, Failure> {
    let line = if io::stdin().is_terminal() {
        let prompt = format!("API key for {}: ", board::printable(server));
        rpassword::prompt_password(prompt).map_err(Failure::Input)?
    } else {
        let mut line = String::new();
        let mut input = io::Read::take(io::stdin().lock(), LONGEST_KEY);
        input.read_line(&mut line).map_err(Failure::Input)?;
        line
    };
    let key = line.trim();
    if is_api_key(key) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(key.to_owned())
    } else {
        // What was typed is not repeated: it may be another secret.
        Err(Failure::Usage("that is no API key: it begins with `mbk_` and has no blanks".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_http_to_elsewhere_is_readable() {
        for server in ["http://example.org:7420", "http://192.0.2.1:7420", "http://[2001:db8::1]:7420"] {
            assert!(is_readable_on_the_way(server), "{server}");
        }
        for server in
            ["https://example.org", "http://localhost:7420", "http://127.0.0.1:7420", "http://[::1]:7420"]
        {
            assert!(!is_readable_on_the_way(server), "{server}");
        }
    }
}
