//! The TLS acceptor, whose certificate is reloaded when its files change. `stream` runs the handshakes.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};
use tokio_rustls::TlsAcceptor;

use super::certificate::{self, TlsError, TlsFiles};

/// Interval between reloads without a signal.
const RELOAD_INTERVAL: Duration = Duration::from_secs(60);

/// The TLS acceptor and its certificate.
pub(crate) struct Tls {
    /// Starts handshakes.
    pub(crate) acceptor: TlsAcceptor,
    certificate: Arc<ReloadableCertificate>,
}

/// The certificate for new connections.
#[derive(Debug)]
struct ReloadableCertificate {
    files: TlsFiles,
    current: RwLock<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for ReloadableCertificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }
}

impl Tls {
    /// Returns the certificate's file.
    pub(crate) fn certificate_file(&self) -> &Path {
        &self.certificate.files.certificate
    }

    /// Reads the files and builds the acceptor.
    pub(crate) fn load(files: &TlsFiles) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let current = RwLock::new(Arc::new(certificate::read(files, &provider)?));
        let certificate = Arc::new(ReloadableCertificate { files: files.clone(), current });
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring implements TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&certificate) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), certificate })
    }

    /// Reloads the files on SIGHUP and periodically. Open connections keep their certificate.
    pub(crate) async fn keep_reloading(&self) -> Infallible {
        let mut hangups = match signal(SignalKind::hangup()) {
            Ok(hangups) => Some(hangups),
            Err(error) => {
                tracing::warn!(
                    %error,
                    "cannot handle SIGHUP; the certificate is still reloaded every minute"
                );
                None
            }
        };
        let mut ticks = interval(RELOAD_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick completes immediately.
        ticks.tick().await;
        loop {
            match &mut hangups {
                Some(hangups) => tokio::select! { _ = hangups.recv() => {}, _ = ticks.tick() => {} },
                None => drop(ticks.tick().await),
            }
            self.certificate.reload();
        }
    }
}

impl ReloadableCertificate {
    fn current(&self) -> Arc<CertifiedKey> {
        // A panic cannot leave the value half-written.
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn reload(&self) {
        match certificate::read(&self.files, &ring::default_provider()) {
            Ok(new) if new.cert == self.current().cert => {}
            Ok(new) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
                tracing::info!(path = %self.files.certificate.display(), "reloaded the TLS certificate");
            }
            // One of the two files may not be replaced yet.
            Err(error) => {
                tracing::warn!(%error, "cannot reload the TLS certificate; keeping the current one");
            }
        }
    }
}
