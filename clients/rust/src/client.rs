//! The connection to a service: credentials, timeouts and retries. The calls are in `calls`.

use std::sync::Arc;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::retry::{Backoff, RetryPolicy};

/// A connection to a service, used with an API key, a seat's token, both or neither. Clones share the
/// connection.
///
/// It has a method for each call of the service, named like it, with a message in and a message or a stream
/// out. [`MatchClient`](crate::MatchClient) and [`SeatClient`](crate::SeatClient) need less typing for most.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use matchbook_client::Client;
/// use matchbook_client::v1::{ListGamesRequest, ListMatchesRequest, MatchStatus};
///
/// let client = Client::connect("127.0.0.1:7420").await?;
/// for game in client.list_games(ListGamesRequest::default()).await?.games {
///     println!("{}: {}", game.game_id, game.title);
/// }
/// let open = ListMatchesRequest { status: Some(MatchStatus::Open.into()), ..Default::default() };
/// for found in client.list_matches(open).await?.matches {
///     println!("{}", found.match_id);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    channel: Channel,
    server: String,
    credentials: Arc<Credentials>,
    call_timeout: Duration,
    retry: RetryPolicy,
    slow_call: Option<SlowCall>,
}

/// Whom to tell of a call that is not answered yet, retries included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlowCall {
    /// The time after which a call is slow.
    pub(crate) after: Duration,
    /// Receives the service's address.
    pub(crate) report: fn(&str),
}

/// What a client sends to identify itself, as metadata.
#[derive(Debug, Clone, Default)]
struct Credentials {
    api_key: Option<MetadataValue<Ascii>>,
    seat_token: Option<MetadataValue<Ascii>>,
}

/// An API key or a token with characters that HTTP metadata cannot carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the token has characters that no token has")]
pub struct InvalidToken;

/// Whether a repeated call has the effect of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idempotency {
    /// The call only reads, its message has a `request_id`, or it sets what it repeats.
    Safe,
    /// A repetition could take effect twice.
    Unsafe,
}

impl Idempotency {
    /// Returns the idempotency of a call that changes something.
    pub(crate) fn of(request_id: Option<&String>) -> Self {
        if request_id.is_some_and(|id| !id.is_empty()) { Self::Safe } else { Self::Unsafe }
    }
}

impl Client {
    pub(crate) fn new(channel: Channel, server: String, call_timeout: Duration, retry: RetryPolicy) -> Self {
        Self { channel, server, credentials: Arc::default(), call_timeout, retry, slow_call: None }
    }

    pub(crate) fn with_slow_call(self, slow_call: Option<SlowCall>) -> Self {
        Self { slow_call, ..self }
    }

    /// Returns a client on the same connection that sends this API key with each call, beside the seat's
    /// token if this client sends one.
    ///
    /// # Errors
    ///
    /// If the key has characters that HTTP metadata cannot carry.
    pub fn with_api_key(&self, key: &str) -> Result<Self, InvalidToken> {
        let api_key = Some(secret(&format!("Bearer {key}"))?);
        Ok(self.with(Credentials { api_key, ..Credentials::clone(&self.credentials) }))
    }

    /// Returns a client on the same connection that sends this seat's token with each call, beside the
    /// API key if this client sends one.
    ///
    /// # Errors
    ///
    /// If the token has characters that HTTP metadata cannot carry.
    pub fn with_seat_token(&self, token: &str) -> Result<Self, InvalidToken> {
        let seat_token = Some(secret(token)?);
        Ok(self.with(Credentials { seat_token, ..Credentials::clone(&self.credentials) }))
    }

    /// Returns a client on the same connection that sends no seat's token.
    pub(crate) fn without_seat_token(&self) -> Self {
        self.with(Credentials { seat_token: None, ..Credentials::clone(&self.credentials) })
    }

    fn with(&self, credentials: Credentials) -> Self {
        Self { credentials: Arc::new(credentials), ..self.clone() }
    }

    /// Returns a client on the same connection that retries by another policy.
    #[must_use]
    pub fn with_retry(&self, policy: RetryPolicy) -> Self {
        Self { retry: policy, ..self.clone() }
    }

    /// Returns a client on the same connection that reports no slow calls, for a program that shows by itself
    /// what it waits for.
    #[must_use]
    pub fn without_slow_call_report(&self) -> Self {
        Self { slow_call: None, ..self.clone() }
    }

    /// Returns the service's address with a scheme and without a trailing slash.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns whether calls carry a credential.
    pub fn has_credential(&self) -> bool {
        self.credentials.api_key.is_some() || self.credentials.seat_token.is_some()
    }

    /// Returns the seat's token that this client sends, if any.
    pub(crate) fn seat_token(&self) -> Option<&str> {
        self.credentials.seat_token.as_ref().and_then(|token| token.to_str().ok())
    }

    /// Returns the connection, for services that this crate has no calls for, such as health checks.
    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Returns the policy for retries.
    pub fn retry_policy(&self) -> RetryPolicy {
        self.retry
    }

    /// Makes a unary call, and repeats it while the policy allows if that is safe. Reports it once if slow.
    pub(crate) async fn call<Q, A, F>(
        &self,
        idempotency: Idempotency,
        message: Q,
        rpc: impl Fn(Channel, Request<Q>) -> F,
    ) -> Result<A, Error>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let attempts = self.attempts(idempotency, message, rpc);
        let Some(SlowCall { after, report }) = self.slow_call else { return attempts.await };
        tokio::pin!(attempts);
        match tokio::time::timeout(after, &mut attempts).await {
            Ok(answer) => answer,
            Err(_) => {
                report(&self.server);
                attempts.await
            }
        }
    }

    async fn attempts<Q, A, F>(
        &self,
        idempotency: Idempotency,
        message: Q,
        rpc: impl Fn(Channel, Request<Q>) -> F,
    ) -> Result<A, Error>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let mut backoff = Backoff::new(self.retry);
        loop {
            let mut request = self.request(message.clone());
            request.set_timeout(self.call_timeout);
            let error = match rpc(self.channel(), request).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => self.error(&status),
            };
            if idempotency == Idempotency::Unsafe || !error.is_transient() {
                return Err(error);
            }
            match backoff.after_failure(error.retry_after()) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(error),
            }
        }
    }

    /// Returns the message as a request with the caller's credentials.
    pub(crate) fn request<Q>(&self, message: Q) -> Request<Q> {
        let mut request = Request::new(message);
        let Credentials { api_key, seat_token } = &*self.credentials;
        for (name, value) in [("authorization", api_key), ("matchbook-seat-token", seat_token)] {
            if let Some(value) = value {
                request.metadata_mut().insert(name, value.clone());
            }
        }
        request
    }

    /// Returns the time limit of one attempt of a call.
    pub(crate) fn call_timeout(&self) -> Duration {
        self.call_timeout
    }

    /// Returns the error of a call without an answer.
    pub(crate) fn unreachable(&self, cause: &str) -> Error {
        Error::Unreachable { server: self.server.clone(), cause: cause.to_owned() }
    }

    /// Returns what a failed call of this client means.
    pub(crate) fn error(&self, status: &Status) -> Error {
        Error::from_status(status, &self.server)
    }
}

/// Returns a metadata value that is never logged.
fn secret(text: &str) -> Result<MetadataValue<Ascii>, InvalidToken> {
    let mut value: MetadataValue<Ascii> = text.parse().map_err(|_| InvalidToken)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Returns the one spelling of a service's address: with a scheme (`http` if it has none), without a trailing
/// slash. Fit as a key for stored credentials.
pub fn canonical_server(server: &str) -> String {
    let server = server.trim_end_matches('/');
    if server.contains("://") { server.to_owned() } else { format!("http://{server}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_one_spelling() {
        for spelling in ["http://127.0.0.1:7420", "http://127.0.0.1:7420/", "127.0.0.1:7420"] {
            assert_eq!(canonical_server(spelling), "http://127.0.0.1:7420");
        }
        assert_eq!(canonical_server("https://example.org/"), "https://example.org");
    }

    #[test]
    fn an_empty_request_id_does_not_make_a_retry_safe() {
        assert_eq!(Idempotency::of(Some(&"id".to_owned())), Idempotency::Safe);
        assert_eq!(Idempotency::of(Some(&String::new())), Idempotency::Unsafe);
        assert_eq!(Idempotency::of(None), Idempotency::Unsafe);
    }
}
