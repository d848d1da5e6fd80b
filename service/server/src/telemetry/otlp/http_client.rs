//! The HTTP client of the OTLP exporters. If the collector fails, it logs one warning; only the exporter's
//! own thread waits.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry_http::{HttpClient, HttpError};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::error::OtlpError;
use super::signal::Signal;

/// Far more than a collector responds with.
const MAX_RESPONSE_BYTES: usize = 64 << 10;

/// The HTTP client for one signal.
#[derive(Debug)]
pub(super) struct OtlpHttpClient {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// The runtime to send from: exporters run in threads without one.
    runtime: Handle,
    timeout: Duration,
    signal: &'static str,
    failing: AtomicBool,
}

impl OtlpHttpClient {
    /// Creates a client that sends from the current runtime. Does not connect yet.
    pub(super) fn new(signal: &Signal) -> Result<Self, OtlpError> {
        let builder = HttpsConnectorBuilder::new().with_tls_config(tls_config(signal)?);
        let connector = builder.https_or_http().enable_http1().build();
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            runtime: Handle::current(),
            timeout: signal.timeout,
            signal: signal.name,
            failing: AtomicBool::new(false),
        })
    }

    /// Logs when exporting starts to fail and when it recovers.
    fn log_change(&self, result: &Result<Response<Bytes>, HttpError>) {
        let problem = match result {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(response.status().to_string()),
            Err(error) => Some(error_chain(&**error)),
        };
        let failing = problem.is_some();
        if self.failing.swap(failing, Ordering::Relaxed) == failing {
            return;
        }
        let signal = self.signal;
        match problem {
            Some(problem) => tracing::warn!(
                %problem,
                "cannot export {signal} to the collector; data that does not fit in the queue is dropped \
                 (not logged again until it recovers)"
            ),
            None => tracing::info!("exporting {signal} to the collector again"),
        }
    }
}

#[async_trait]
impl HttpClient for OtlpHttpClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (client, limit) = (self.client.clone(), self.timeout);
        let sending = self.runtime.spawn(async move {
            timeout(limit, send(client, request)).await.unwrap_or_else(|_| Err("timed out".into()))
        });
        let result = sending.await.unwrap_or_else(|error| Err(error.into()));
        self.log_change(&result);
        result
    }
}

async fn send(
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let (parts, body) = client.request(request.map(Full::new)).await?.into_parts();
    let body = Limited::new(body, MAX_RESPONSE_BYTES).collect().await?.to_bytes();
    Ok(Response::from_parts(parts, body))
}

/// Returns the TLS configuration that verifies the collector, with no roots if the endpoint does not use TLS.
fn tls_config(signal: &Signal) -> Result<ClientConfig, OtlpError> {
    let builder = ClientConfig::builder();
    if let Some(path) = &signal.certificate {
        let unusable = || OtlpError::Certificate { path: path.clone() };
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_file_iter(path).map_err(|_| unusable())? {
            roots.add(certificate.map_err(|_| unusable())?).map_err(|_| unusable())?;
        }
        if roots.is_empty() {
            return Err(unusable());
        }
        return Ok(builder.with_root_certificates(roots).with_no_client_auth());
    }
    if signal.endpoint.scheme_str() != Some("https") {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    let config =
        builder.with_native_roots().map_err(|cause| OtlpError::Roots { cause: cause.to_string() })?;
    Ok(config.with_no_client_auth())
}

/// Formats an error and its sources in one line.
fn error_chain(error: &(dyn Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        line = format!("{line}: {cause}");
        next = cause.source();
    }
    line
}
