//! The HTTP client that sends to webhooks: HTTP/1.1, no redirects, no proxies, and nothing read of an answer
//! but its head.

use std::error::Error;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{Method, Request};
use http_body_util::Full;
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use play::{AttemptOutcome, OutgoingWebhook, WebhookSender};
use rustls::{ClientConfig, RootCertStore};
use tokio::time::timeout;
use transcode::message_json;

use super::addresses::ReachableAddresses;
use super::config::WebhookConfig;
use super::resolver::{GuardedResolver, ResolveError};
use super::url::UrlPolicy;

/// Most bytes that are read of an answer: its head, and what arrives with it.
const MAX_READ_BYTES: usize = 64 << 10;

/// Connections to one receiver that stay open without a request.
const IDLE_CONNECTIONS: usize = 2;

/// How long they stay open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The type of bodies.
const PAYLOAD: &str = "matchbook.v1.WebhookPayload";

const AGENT: &str = concat!("matchbook/", env!("CARGO_PKG_VERSION"));

/// Sends deliveries.
pub(super) struct WebhookClient {
    client: Client<HttpsConnector<HttpConnector<GuardedResolver>>, Full<Bytes>>,
    policy: UrlPolicy,
    timeout: Duration,
}

impl WebhookClient {
    pub(super) fn new(config: &WebhookConfig) -> Self {
        let addresses = match config.webhook_allow_private_networks {
            true => ReachableAddresses::PublicAndPrivate,
            false => ReachableAddresses::Public,
        };
        let mut tcp = HttpConnector::new_with_resolver(GuardedResolver { addresses });
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(config.webhook_timeout));
        let tls = HttpsConnectorBuilder::new().with_tls_config(tls_config());
        let connector = tls.https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .http1_max_buf_size(MAX_READ_BYTES)
            .build(connector);
        let policy = UrlPolicy { allow_http: config.webhook_allow_http, addresses };
        Self { client, policy, timeout: config.webhook_timeout }
    }

    /// Returns the request of an attempt, or `None` for a URL that may no longer be sent to.
    fn request(&self, outgoing: &OutgoingWebhook) -> Option<Request<Full<Bytes>>> {
        let url = self.policy.parse(&outgoing.url).ok()?;
        let body = Bytes::from(message_json(&wire::DESCRIPTORS, PAYLOAD, &outgoing.payload)?);
        let request = Request::builder()
            .method(Method::POST)
            .uri(url.as_str())
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, AGENT)
            .header("webhook-id", &outgoing.id)
            .header("webhook-timestamp", outgoing.timestamp_s)
            .header("webhook-signature", outgoing.signature(&body));
        request.body(Full::new(body)).ok()
    }
}

#[async_trait]
impl WebhookSender for WebhookClient {
    fn check_url(&self, url: &str) -> Result<(), String> {
        let url = self.policy.parse(url)?;
        let uri = url.as_str().parse::<http::Uri>();
        uri.map(drop).map_err(|_| "must be a URL that HTTP can carry".to_owned())
    }

    async fn send(&self, outgoing: OutgoingWebhook) -> AttemptOutcome {
        let Some(request) = self.request(&outgoing) else { return AttemptOutcome::AddressRefused };
        match timeout(self.timeout, self.client.request(request)).await {
            Err(_elapsed) => AttemptOutcome::TimedOut,
            // Dropping the body unread closes the connection unless the answer is complete.
            Ok(Ok(response)) => AttemptOutcome::Status(response.status().as_u16()),
            Ok(Err(error)) => outcome_of(&error),
        }
    }
}

/// Classifies a failed request. The text of the error stays here: it may contain the URL.
fn outcome_of(error: &hyper_util::client::legacy::Error) -> AttemptOutcome {
    let mut cause = error.source();
    while let Some(error) = cause {
        match error.downcast_ref::<ResolveError>() {
            Some(ResolveError::Refused) => return AttemptOutcome::AddressRefused,
            Some(ResolveError::NoAddress) => {
                return AttemptOutcome::Unreachable("the host name has no address");
            }
            None => {}
        }
        if is_tls(error) {
            return AttemptOutcome::Unreachable("the TLS handshake failed");
        }
        cause = error.source();
    }
    match error.is_connect() {
        true => AttemptOutcome::Unreachable("the connection failed"),
        false => AttemptOutcome::Unreachable("the connection broke, or the answer is not HTTP"),
    }
}

fn is_tls(error: &(dyn Error + 'static)) -> bool {
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(inner) => inner.is::<rustls::Error>(),
        None => error.is::<rustls::Error>(),
    }
}

/// Returns the TLS configuration that verifies receivers by the system's root certificates.
fn tls_config() -> ClientConfig {
    let builder = ClientConfig::builder();
    match builder.clone().with_native_roots() {
        Ok(builder) => builder.with_no_client_auth(),
        Err(error) => {
            tracing::warn!(%error, "the system has no root certificates: no https webhook can be reached");
            builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
        }
    }
}
