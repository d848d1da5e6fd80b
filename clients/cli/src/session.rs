//! A command's connection and credentials: the secret of `--token`, a stored seat's token and the stored API
//! key, which go together.

use std::fs;
use std::path::Path;
use std::time::Duration;

use matchbook_client::{Client, Error, RetryPolicy, canonical_server};
use wire::v1::{ErrorReason, GetViewRequest};

use crate::arguments::{Global, SeatName, SeatTitles};
use crate::credentials::{KeyStore, TokenStore, is_api_key, state_folder};
use crate::failure::Failure;
use crate::output::Output;

/// The time after which a person learns what the program waits for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Everything a command that needs the service works with.
#[derive(Clone)]
pub(crate) struct Session {
    /// The connection without a credential.
    pub client: Client,
    /// Where responses go.
    pub output: Output,
    /// The stored tokens; `None` if the user has no home.
    pub tokens: Option<TokenStore>,
    /// The stored tokens of bots that this program plays; `None` if the user has no home.
    pub bot_tokens: Option<TokenStore>,
    /// The stored API keys; `None` if the user has no home.
    pub keys: Option<KeyStore>,
    /// The secret of `--token`, which overrides stored ones.
    pub given_token: Option<String>,
}

impl Session {
    /// Connects to the service of `--server`. Fails at once if nothing listens there: a person is waiting.
    pub(crate) async fn connect(global: &Global, output: Output) -> Result<Self, Failure> {
        let mut builder = Client::builder(&global.server).on_slow_call(PATIENCE, report_waiting);
        if let Some(pem) = read_ca_certificate(&global.server, global.ca_cert.as_deref())? {
            builder = builder.ca_certificate(pem);
        }
        let folder = state_folder();
        Ok(Self {
            client: builder.connect().await?,
            output,
            tokens: folder.as_deref().map(TokenStore::within),
            bot_tokens: folder.as_deref().map(TokenStore::of_bots),
            keys: folder.as_deref().map(KeyStore::within),
            // Scripts set an empty variable to mean "none".
            given_token: global.token.clone().filter(|token| !token.is_empty()),
        })
    }

    /// Returns a session that prints nothing while it waits, for a screen that shows it.
    pub(crate) fn silent(&self) -> Self {
        Self { client: self.client.without_slow_call_report(), ..self.clone() }
    }

    /// Returns a client to view a match with: with the token of the named seat, else of the only stored seat,
    /// else as a spectator; in each case with the API key, if one is known.
    pub(crate) async fn viewer_client(
        &self,
        match_id: &str,
        seat: Option<&SeatName>,
    ) -> Result<Client, Failure> {
        match self.find_token(match_id, seat).await? {
            Found::One(token) => self.client_with(&token),
            Found::None | Found::Both => self.app_client(),
        }
    }

    /// Returns a client to act for a seat with. Without a token the service gets to say that one is needed.
    pub(crate) async fn seat_client(
        &self,
        match_id: &str,
        seat: Option<&SeatName>,
    ) -> Result<Client, Failure> {
        match self.find_token(match_id, seat).await? {
            Found::One(token) => self.client_with(&token),
            Found::None => self.app_client(),
            Found::Both => {
                let message = "the tokens of both seats are stored; choose one with --seat 0 or --seat 1";
                Err(Failure::Usage(message.to_owned()))
            }
        }
    }

    /// Returns a client to move with: as [`Session::seat_client`], but of two stored seats the one to move.
    pub(crate) async fn mover_client(
        &self,
        match_id: &str,
        seat: Option<&SeatName>,
    ) -> Result<Client, Failure> {
        let stored = self.stored_tokens(match_id)?;
        if self.given_token.is_some() || seat.is_some() || stored.len() < 2 {
            return self.seat_client(match_id, seat).await;
        }
        let request = GetViewRequest { match_id: match_id.to_owned(), ..Default::default() };
        let view = self.participant_client(match_id)?.get_view(request).await?.view.unwrap_or_default();
        let mut to_move = stored.iter().filter(|(seat, _)| view.to_act.contains(seat));
        match (to_move.next(), to_move.next()) {
            (Some((_, token)), None) => self.client_with(token),
            _ => self.seat_client(match_id, None).await,
        }
    }

    /// Returns a client with any credential for a match, for calls that are the same for both seats.
    pub(crate) fn participant_client(&self, match_id: &str) -> Result<Client, Failure> {
        if let Some(token) = &self.given_token {
            return self.client_with(token);
        }
        match self.stored_tokens(match_id)?.into_iter().next() {
            Some((_, token)) => self.client_with(&token),
            None => self.app_client(),
        }
    }

    /// Returns a client with the API key of `--token`, else the stored one, else without a credential. Seats'
    /// tokens are not used.
    pub(crate) fn app_client(&self) -> Result<Client, Failure> {
        match self.api_key()? {
            Some(key) => Ok(self.client.with_api_key(&key)?),
            None => Ok(self.client.clone()),
        }
    }

    /// Returns a client with this API key, or with this seat's token beside the known API key: players of an
    /// app count under its rate limit.
    pub(crate) fn client_with(&self, secret: &str) -> Result<Client, Failure> {
        if is_api_key(secret) {
            return Ok(self.client.with_api_key(secret)?);
        }
        Ok(self.app_client()?.with_seat_token(secret)?)
    }

    /// Returns the seat of a match by name; asks the service for the seats' titles only if it must.
    pub(crate) async fn resolve_seat(&self, match_id: &str, name: &SeatName) -> Result<u32, Failure> {
        if let SeatName::Numbered(seat) = name {
            return Ok(*seat);
        }
        // Stored tokens may be revoked by now, so they are tried only where one is needed.
        let answer = match self.app_client()?.get_match(match_id).await {
            Err(Error::Refused(refusal)) if refusal.is(ErrorReason::UnknownMatch) => {
                self.participant_client(match_id)?.get_match(match_id).await
            }
            answer => answer,
        };
        let a_match = answer?.r#match.unwrap_or_default();
        SeatTitles::of_match(&a_match).find(name)
    }

    /// Returns the stored tokens of a match.
    pub(crate) fn stored_tokens(&self, match_id: &str) -> Result<Vec<(u32, String)>, Failure> {
        match &self.tokens {
            Some(tokens) => tokens.of_match(self.client.server(), match_id),
            None => Ok(Vec::new()),
        }
    }

    /// Prints a new token of a seat, stores it for later commands and prints where. The service shows a token
    /// once, so it is printed before storing can fail, and stored even if printing fails.
    pub(crate) fn store_token(
        &self,
        (match_id, seat, token): (&str, u32, &str),
        print: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let printed = print();
        let Some(tokens) = &self.tokens else { return printed };
        tokens.put(self.client.server(), match_id, seat, token)?;
        printed?;
        let path = board::printable(&tokens.path().to_string_lossy());
        self.output.text(&format!("Stored in {path}; later commands find it there.\n"))
    }

    /// Returns whether an API key is known, so that the service may show what only a match's owner sees.
    pub(crate) fn has_api_key(&self) -> Result<bool, Failure> {
        Ok(self.api_key()?.is_some())
    }

    fn api_key(&self) -> Result<Option<String>, Failure> {
        match (self.given_token.as_ref().filter(|token| is_api_key(token)), &self.keys) {
            (Some(given), _) => Ok(Some(given.clone())),
            (None, Some(keys)) => keys.key(self.client.server()),
            (None, None) => Ok(None),
        }
    }

    async fn find_token(&self, match_id: &str, seat: Option<&SeatName>) -> Result<Found, Failure> {
        if let Some(token) = &self.given_token {
            return Ok(Found::One(token.clone()));
        }
        let mut stored = self.stored_tokens(match_id)?;
        if let Some(name) = seat {
            let wanted = self.resolve_seat(match_id, name).await?;
            let token = stored.into_iter().find(|(seat, _)| *seat == wanted);
            return token.map(|(_, token)| Found::One(token)).ok_or_else(|| {
                Failure::Usage("no token is stored for that seat; claim it or pass --token".to_owned())
            });
        }
        Ok(match (stored.pop(), stored.is_empty()) {
            (None, _) => Found::None,
            (Some((_, token)), true) => Found::One(token),
            (Some(_), false) => Found::Both,
        })
    }
}

/// Returns a client that tries as long as the program runs: somebody plays, and a service that is away may
/// come back.
pub(crate) fn tireless(client: &Client) -> Client {
    client.with_retry(RetryPolicy::default().attempts(u32::MAX))
}

/// Prints to standard error, also with `--json`: standard output belongs to the responses.
fn report_waiting(server: &str) {
    eprintln!("waiting for an answer from the service at {server}; press Ctrl-C to stop");
}

/// Reads the file of `--ca-cert` for an `https` server. Without TLS it is not read: `MATCHBOOK_CA_CERT` may
/// be set for other servers.
fn read_ca_certificate(server: &str, path: Option<&Path>) -> Result<Option<Vec<u8>>, Failure> {
    // Scripts set an empty variable to mean "none".
    let path = path.filter(|path| !path.as_os_str().is_empty());
    let Some(path) = path.filter(|_| canonical_server(server).starts_with("https://")) else {
        return Ok(None);
    };
    fs::read(path).map(Some).map_err(|error| {
        let path = path.display();
        Failure::Usage(format!("the file of --ca-cert or MATCHBOOK_CA_CERT, {path}, cannot be read: {error}"))
    })
}

/// The tokens that fit a call.
enum Found {
    None,
    One(String),
    Both,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ca_certificate_is_read_only_for_https() {
        let missing = Some(Path::new("/no/such/file"));
        for server in ["http://127.0.0.1:7420", "127.0.0.1:7420"] {
            assert!(matches!(read_ca_certificate(server, missing), Ok(None)), "{server}");
        }
        assert!(matches!(read_ca_certificate("https://example.org", missing), Err(Failure::Usage(_))));
        assert!(matches!(read_ca_certificate("https://example.org", None), Ok(None)));
    }
}
