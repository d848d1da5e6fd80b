//! The HTTP client that sends to webhooks: HTTP/1.1, no redirects, no proxies, and nothing read of an answer
//! but its head, which has to come within a bounded number of bytes.

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
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use play::{AttemptOutcome, OutgoingWebhook, WebhookSender};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower::util::MapResponse;
use transcode::message_json;

use super::addresses::ReachableAddresses;
use super::config::WebhookConfig;
use super::metered::Metered;
use super::resolver::{GuardedResolver, Lookup, ResolveError, system_lookup};
use super::url::UrlPolicy;

/// Most bytes of an answer's head, with what arrives along with it.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// Connections to one receiver that stay open without a request.
const IDLE_CONNECTIONS: usize = 2;

/// How long they stay open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The type of bodies.
const PAYLOAD: &str = "matchbook.v1.WebhookPayload";

const AGENT: &str = concat!("matchbook/", env!("CARGO_PKG_VERSION"));

/// Connects over TCP, to addresses that may be sent to and by streams that count what they read.
type TcpConnector = MapResponse<HttpConnector<GuardedResolver>, fn(TokioIo<TcpStream>) -> MeteredIo>;

type MeteredIo = TokioIo<Metered<TcpStream>>;

/// Sends deliveries.
pub(super) struct WebhookClient {
    client: Client<HttpsConnector<TcpConnector>, Full<Bytes>>,
    policy: UrlPolicy,
    timeout: Duration,
}

impl WebhookClient {
    pub(super) fn new(config: &WebhookConfig) -> Self {
        Self::with_lookup(config, system_lookup)
    }

    fn with_lookup(config: &WebhookConfig, lookup: Lookup) -> Self {
        let addresses = match config.webhook_allow_private_networks {
            true => ReachableAddresses::PublicAndPrivate,
            false => ReachableAddresses::Public,
        };
        let mut tcp = HttpConnector::new_with_resolver(GuardedResolver { addresses, lookup });
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(config.webhook_timeout));
        let tcp: TcpConnector = MapResponse::new(tcp, metered);
        let tls = HttpsConnectorBuilder::new().with_tls_config(tls_config());
        let connector = tls.https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .http1_max_buf_size(MAX_HEAD_BYTES)
            .build(connector);
        let policy = UrlPolicy { allow_http: config.webhook_allow_http, addresses };
        Self { client, policy, timeout: config.webhook_timeout }
    }

    async fn attempt(&self, request: Request<Full<Bytes>>) -> AttemptOutcome {
        match timeout(self.timeout, self.client.request(request)).await {
            Err(_elapsed) => AttemptOutcome::TimedOut,
            // Dropping the body unread closes the connection unless the answer is complete.
            Ok(Ok(response)) => AttemptOutcome::Status(response.status().as_u16()),
            Ok(Err(error)) => outcome_of(&error),
        }
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
        match self.request(&outgoing) {
            Some(request) => self.attempt(request).await,
            None => AttemptOutcome::AddressRefused,
        }
    }
}

fn metered(stream: TokioIo<TcpStream>) -> MeteredIo {
    TokioIo::new(Metered::new(stream.into_inner()))
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

/// Returns whether an error is of TLS. One of I/O names what it contains nowhere but in `get_ref`, and the
/// connector wraps the handshake's in another.
fn is_tls(error: &(dyn Error + 'static)) -> bool {
    match error.downcast_ref::<std::io::Error>() {
        Some(error) => error.get_ref().is_some_and(|inner| is_tls(inner)),
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

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use hyper_util::client::legacy::connect::dns::Name;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::super::resolver::FoundAddresses;
    use super::*;

    /// An address that may never be sent to, as a name's owner might have it resolve to later.
    const METADATA: [u8; 4] = [169, 254, 169, 254];

    static LOOKUPS: AtomicUsize = AtomicUsize::new(0);

    /// Answers with a reachable address first, with it and a forbidden one then, and later with the latter.
    fn rebinding(name: Name) -> FoundAddresses {
        assert_eq!(name.as_str(), "rebinding.example");
        let [good, bad] = [[127, 0, 0, 1], METADATA].map(|address| SocketAddr::from((address, 0)));
        let found = match LOOKUPS.fetch_add(1, Ordering::SeqCst) {
            0 => vec![good],
            1 => vec![bad, good],
            _ => vec![bad],
        };
        Box::pin(async move { Ok(found) })
    }

    fn to(port: u16) -> Request<Full<Bytes>> {
        Request::post(format!("http://rebinding.example:{port}/")).body(Full::default()).unwrap()
    }

    #[tokio::test]
    async fn a_connection_goes_to_the_address_that_was_judged() {
        let config = WebhookConfig { webhook_allow_private_networks: true, ..WebhookConfig::default() };
        let client = WebhookClient::with_lookup(&config, rebinding);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let receiver = tokio::spawn(async move {
            for _ in 0..2 {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _request = stream.read(&mut [0; 1024]).await.unwrap();
                let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
                stream.write_all(answer).await.unwrap();
            }
            listener
        });
        for lookups in 1..=2 {
            assert_eq!(client.attempt(to(port)).await, AttemptOutcome::Status(204));
            assert_eq!(LOOKUPS.load(Ordering::SeqCst), lookups, "one lookup for each connection");
        }
        let listener = receiver.await.unwrap();
        for _ in 0..2 {
            assert_eq!(client.attempt(to(port)).await, AttemptOutcome::AddressRefused);
        }
        assert_eq!(LOOKUPS.load(Ordering::SeqCst), 4);
        let third = listener.into_std().unwrap().accept().map(drop).map_err(|error| error.kind());
        assert_eq!(third, Err(std::io::ErrorKind::WouldBlock), "nobody connected any more");
    }
}
