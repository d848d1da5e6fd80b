//! The connection to the service: who calls, with a deadline and repetition of what
//! failed only for the moment. The calls themselves are in `calls`.

mod calls;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Response, Status};

use crate::failure::Failure;
use crate::refusal::{Refusal, is_lost_connection, is_transient};
use crate::retry::Backoff;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const CALL_TIMEOUT: Duration = Duration::from_secs(15);
const PING_INTERVAL: Duration = Duration::from_secs(20);
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// A connected service, as one caller uses it.
#[derive(Clone)]
pub(crate) struct Service {
    channel: Channel,
    server: String,
    token: Option<MetadataValue<Ascii>>,
}

impl Service {
    /// Connects without a token, to an `https` server with the system's roots or
    /// those of `ca_cert`. Fails at once if nobody listens there: a person waits for
    /// the answer.
    pub(crate) async fn connect(server: &str, ca_cert: Option<&Path>) -> Result<Self, Failure> {
        let server = address(server);
        let endpoint = Endpoint::from_shared(server.clone())
            .map_err(|error| Failure::Usage(format!("--server {server} is no address: {error}")))?
            .connect_timeout(CONNECT_TIMEOUT)
            // A watch may be silent for long; a dead connection must show.
            .http2_keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_TIMEOUT)
            .keep_alive_while_idle(true);
        let endpoint = if server.starts_with("https://") {
            let bad = |error| Failure::Usage(format!("--ca-cert: {}", root_cause(&error)));
            endpoint.tls_config(tls(ca_cert)?).map_err(bad)?
        } else {
            endpoint
        };
        match endpoint.connect().await {
            Ok(channel) => Ok(Self { channel, server, token: None }),
            Err(error) => Err(Failure::Unreachable { server, cause: root_cause(&error) }),
        }
    }

    /// The service's address, in the form in which tokens are kept under it.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// The same service, used by the owner of this token.
    pub(crate) fn with_token(&self, token: &str) -> Result<Self, Failure> {
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}")
            .parse()
            .map_err(|_| Failure::Usage("the token has characters that no token has".to_owned()))?;
        value.set_sensitive(true);
        Ok(Self { token: Some(value), ..self.clone() })
    }

    /// Whether calls carry a token.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// What a failed call means to the command that made it.
    pub(crate) fn failure(&self, status: &Status) -> Failure {
        if is_lost_connection(status) {
            Failure::Unreachable { server: self.server.clone(), cause: root_cause(status) }
        } else {
            Failure::Refused(Box::new(Refusal::from(status)))
        }
    }

    async fn call<Q, A, F>(&self, message: Q, rpc: impl Fn(Channel, Request<Q>) -> F) -> Result<A, Failure>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let mut backoff = Backoff::default();
        loop {
            let mut request = self.request(message.clone());
            request.set_timeout(CALL_TIMEOUT);
            let status = match rpc(self.channel.clone(), request).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => status,
            };
            if !is_transient(&status) {
                return Err(self.failure(&status));
            }
            match backoff.after_failure(Refusal::from(&status).retry_after) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(self.failure(&status)),
            }
        }
    }

    fn request<Q>(&self, message: Q) -> Request<Q> {
        let mut request = Request::new(message);
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        request
    }
}

/// One spelling for each server, so that its tokens are found again.
pub(crate) fn address(server: &str) -> String {
    let server = server.trim_end_matches('/');
    if server.contains("://") { server.to_owned() } else { format!("http://{server}") }
}

/// Whose certificates are believed: the given file's alone, or the system's.
fn tls(ca_cert: Option<&Path>) -> Result<ClientTlsConfig, Failure> {
    let config = ClientTlsConfig::new();
    let Some(path) = ca_cert else { return Ok(config.with_native_roots()) };
    let pem = fs::read(path)
        .map_err(|error| Failure::Usage(format!("--ca-cert {} can't be read: {error}", path.display())))?;
    if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
        return Err(Failure::Usage(format!("--ca-cert {} has no certificate in PEM form", path.display())));
    }
    Ok(config.ca_certificate(Certificate::from_pem(pem)))
}

/// The innermost message: the outer ones only say "transport error".
fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    board::printable(&cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_one_spelling() {
        for spelling in ["http://127.0.0.1:7420", "http://127.0.0.1:7420/", "127.0.0.1:7420"] {
            assert_eq!(address(spelling), "http://127.0.0.1:7420");
        }
        assert_eq!(address("https://example.org/"), "https://example.org");
    }
}
