//! Carries what is measured to the collector, over HTTP or HTTPS. A collector that does not answer costs a warning, and
//! nobody waits for it but the exporter's own thread.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry_http::{HttpClient, HttpError};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::otlp::{OtlpError, Signal};

/// The longest answer that is read; a collector has little to say.
const MOST_BYTES: usize = 64 << 10;

/// The way to one collector, for one kind of things.
#[derive(Debug)]
pub(super) struct Courier {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// Exporters work in threads of their own, which have no runtime.
    runtime: Handle,
    within: Duration,
    carries: &'static str,
    failing: AtomicBool,
}

impl Courier {
    /// A courier of this runtime. Nothing is sent yet.
    pub(super) fn new(signal: &Signal) -> Result<Self, OtlpError> {
        let builder = HttpsConnectorBuilder::new().with_tls_config(tls(signal)?);
        let connector = builder.https_or_http().enable_http1().build();
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            runtime: Handle::current(),
            within: signal.timeout,
            carries: signal.carries,
            failing: AtomicBool::new(false),
        })
    }

    /// Says once that it does not work, and once that it does again.
    fn note(&self, outcome: &Result<Response<Bytes>, HttpError>) {
        let problem = match outcome {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(response.status().to_string()),
            Err(error) => Some(causes(&**error)),
        };
        let failing = problem.is_some();
        if self.failing.swap(failing, Ordering::Relaxed) == failing {
            return;
        }
        let carries = self.carries;
        match problem {
            Some(problem) => tracing::warn!(
                %problem,
                "{carries} can't be delivered to the collector; what does not fit in the queue is dropped, and this is \
                 not told again until it works"
            ),
            None => tracing::info!("{carries} are delivered to the collector again"),
        }
    }
}

#[async_trait]
impl HttpClient for Courier {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (client, within) = (self.client.clone(), self.within);
        let sending = self.runtime.spawn(async move {
            timeout(within, send(client, request)).await.unwrap_or_else(|_| Err("no answer in time".into()))
        });
        let outcome = sending.await.unwrap_or_else(|error| Err(error.into()));
        self.note(&outcome);
        outcome
    }
}

async fn send(
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let (parts, body) = client.request(request.map(Full::new)).await?.into_parts();
    let body = Limited::new(body, MOST_BYTES).collect().await?.to_bytes();
    Ok(Response::from_parts(parts, body))
}

/// Whom a collector's certificate has to come from: nobody where there is no TLS.
fn tls(signal: &Signal) -> Result<ClientConfig, OtlpError> {
    let builder = ClientConfig::builder();
    if let Some(path) = &signal.certificate {
        let wrong = || OtlpError::Certificate { path: path.clone() };
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_file_iter(path).map_err(|_| wrong())? {
            roots.add(certificate.map_err(|_| wrong())?).map_err(|_| wrong())?;
        }
        if roots.is_empty() {
            return Err(wrong());
        }
        return Ok(builder.with_root_certificates(roots).with_no_client_auth());
    }
    if signal.endpoint.scheme_str() != Some("https") {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    use hyper_rustls::ConfigBuilderExt;
    let trusting =
        builder.with_native_roots().map_err(|cause| OtlpError::Roots { cause: cause.to_string() })?;
    Ok(trusting.with_no_client_auth())
}

/// An error with what is behind it, in one line.
fn causes(error: &(dyn Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        line = format!("{line}: {cause}");
        next = cause.source();
    }
    line
}
