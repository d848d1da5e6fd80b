//! How a client connects: addresses, certificates, timeouts, retries.

use std::time::Duration;

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use crate::client::{Client, SlowCall, canonical_server};
use crate::error::{root_cause, tls_failure};
use crate::retry::RetryPolicy;
use crate::tls_failure::TlsFailure;

const PEM_CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";

/// Settings of a [`Client`] before it connects.
///
/// ```no_run
/// use std::time::Duration;
///
/// use matchbook_client::{Client, RetryPolicy};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::builder("https://play.example.org")
///     .ca_certificate(std::fs::read("ca.pem")?)
///     .call_timeout(Duration::from_secs(5))
///     .retry(RetryPolicy::default().attempts(3))
///     .connect()
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ClientBuilder {
    server: String,
    ca_certificate: Option<Vec<u8>>,
    connect_timeout: Duration,
    call_timeout: Duration,
    ping_interval: Duration,
    ping_timeout: Duration,
    retry: RetryPolicy,
    slow_call: Option<SlowCall>,
}

/// Why a client cannot connect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The address is not a URL.
    #[error("invalid address {server}: {cause}")]
    InvalidAddress {
        /// The address, with a scheme.
        server: String,
        /// The parser's message.
        cause: String,
    },
    /// The CA certificate is not usable.
    #[error("invalid CA certificate: {0}")]
    InvalidCertificate(String),
    /// Nothing accepts connections at the address.
    #[error("cannot reach the service at {server}: {cause}")]
    Unreachable {
        /// The address, with a scheme.
        server: String,
        /// The innermost error of the transport.
        cause: String,
    },
    /// TLS failed: the server's certificate is not trusted, or it does not speak TLS.
    #[error("cannot reach the service at {server}: {cause}")]
    Insecure {
        /// The address, with a scheme.
        server: String,
        /// Why TLS failed.
        cause: TlsFailure,
    },
}

impl Client {
    /// Connects with default settings and without a credential. `http://` is assumed if the address has no
    /// scheme.
    ///
    /// # Errors
    ///
    /// If the address is invalid, or if nothing accepts the connection.
    pub async fn connect(server: &str) -> Result<Self, ConnectError> {
        Self::builder(server).connect().await
    }

    /// Starts to configure a client.
    pub fn builder(server: &str) -> ClientBuilder {
        ClientBuilder::new(server)
    }
}

impl ClientBuilder {
    pub(crate) fn new(server: &str) -> Self {
        Self {
            server: canonical_server(server),
            ca_certificate: None,
            connect_timeout: Duration::from_secs(5),
            call_timeout: Duration::from_secs(15),
            ping_interval: Duration::from_secs(20),
            ping_timeout: Duration::from_secs(10),
            retry: RetryPolicy::default(),
            slow_call: None,
        }
    }

    /// Trusts only the certificates in this PEM text instead of the system's roots. Applies to `https`
    /// addresses.
    #[must_use]
    pub fn ca_certificate(self, pem: impl Into<Vec<u8>>) -> Self {
        Self { ca_certificate: Some(pem.into()), ..self }
    }

    /// Sets the timeout for opening a connection; 5 s by default.
    #[must_use]
    pub fn connect_timeout(self, timeout: Duration) -> Self {
        Self { connect_timeout: timeout, ..self }
    }

    /// Sets the timeout of one attempt of a call, streams excepted; 15 s by default.
    #[must_use]
    pub fn call_timeout(self, timeout: Duration) -> Self {
        Self { call_timeout: timeout, ..self }
    }

    /// Sets how often an HTTP/2 ping checks the connection and how long its answer may take; 20 s and 10 s by
    /// default. Only pings reveal that a silent peer is gone.
    #[must_use]
    pub fn keep_alive(self, interval: Duration, timeout: Duration) -> Self {
        Self { ping_interval: interval, ping_timeout: timeout, ..self }
    }

    /// Sets how calls are retried and streams are reopened.
    #[must_use]
    pub fn retry(self, policy: RetryPolicy) -> Self {
        Self { retry: policy, ..self }
    }

    /// Reports each call that takes this long, retries included, once: a person may want to know what the
    /// program waits for. `report` receives the service's address. Streams are not reported.
    #[must_use]
    pub fn on_slow_call(self, after: Duration, report: fn(&str)) -> Self {
        Self { slow_call: Some(SlowCall { after, report }), ..self }
    }

    /// Connects now.
    ///
    /// # Errors
    ///
    /// If the address or the certificate is invalid, or if nothing accepts the connection.
    pub async fn connect(self) -> Result<Client, ConnectError> {
        let channel = self.endpoint()?.connect().await.map_err(|error| {
            let server = self.server.clone();
            match tls_failure(&error) {
                Some(cause) => ConnectError::Insecure { server, cause },
                None => ConnectError::Unreachable { server, cause: root_cause(&error) },
            }
        })?;
        Ok(Client::new(channel, self.server, self.call_timeout, self.retry).with_slow_call(self.slow_call))
    }

    /// Returns a client that connects on its first call, and again whenever the connection is lost. Must be
    /// called within a Tokio runtime.
    ///
    /// # Errors
    ///
    /// If the address or the certificate is invalid.
    pub fn connect_lazy(self) -> Result<Client, ConnectError> {
        let channel = self.endpoint()?.connect_lazy();
        Ok(Client::new(channel, self.server, self.call_timeout, self.retry).with_slow_call(self.slow_call))
    }

    fn endpoint(&self) -> Result<Endpoint, ConnectError> {
        let endpoint = Endpoint::from_shared(self.server.clone()).map_err(|error| {
            ConnectError::InvalidAddress { server: self.server.clone(), cause: error.to_string() }
        })?;
        let endpoint = endpoint
            .connect_timeout(self.connect_timeout)
            .http2_keep_alive_interval(self.ping_interval)
            .keep_alive_timeout(self.ping_timeout)
            // A watch may be silent for long.
            .keep_alive_while_idle(true);
        if !self.server.starts_with("https://") {
            return Ok(endpoint);
        }
        endpoint.tls_config(self.tls()?).map_err(|error| ConnectError::InvalidCertificate(root_cause(&error)))
    }

    fn tls(&self) -> Result<ClientTlsConfig, ConnectError> {
        let config = ClientTlsConfig::new();
        let Some(pem) = &self.ca_certificate else { return Ok(config.with_native_roots()) };
        if !String::from_utf8_lossy(pem).contains(PEM_CERTIFICATE) {
            return Err(ConnectError::InvalidCertificate("no certificate in PEM form".to_owned()));
        }
        Ok(config.ca_certificate(Certificate::from_pem(pem)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_settings_are_reported_before_connecting() {
        let bad = ClientBuilder::new("http://not a host").endpoint().unwrap_err();
        assert!(matches!(bad, ConnectError::InvalidAddress { .. }), "{bad}");
        let bad = ClientBuilder::new("https://example.org").ca_certificate("not PEM").endpoint().unwrap_err();
        assert!(matches!(bad, ConnectError::InvalidCertificate(_)), "{bad}");
        // Without TLS the certificate has no effect.
        assert!(ClientBuilder::new("http://example.org").ca_certificate("not PEM").endpoint().is_ok());
    }
}
