//! TLS as the operator configures it: a certificate and its key in two PEM files, read at the start and again when
//! they change. The handshake itself happens in `transport`.

use std::convert::Infallible;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use std::{fs, io};

use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};
use tokio_rustls::TlsAcceptor;

/// How often the files are looked at without a signal.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// Largest PEM file that is read.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Where the certificate and its key are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate and those between it and the root, in this order, as PEM.
    pub certificate: PathBuf,
    /// The private key of the first certificate, as PEM.
    pub key: PathBuf,
}

/// Why the files can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// One of them can't be read.
    #[error("--tls-{what} {} can't be read: {cause}", path.display())]
    Unreadable {
        /// The flag's last word.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// One of them has not what it should have.
    #[error("--tls-{what} {} has no {wanted} in PEM form (`-----BEGIN ...`): {cause}", path.display())]
    NotPem {
        /// The flag's last word.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What it should have.
        wanted: &'static str,
        /// What the parser says.
        cause: String,
    },
    /// They don't belong together, or are of a kind that can't be used.
    #[error(
        "the certificate {} and the key {} can't be used together: {cause}", certificate.display(), key.display()
    )]
    Unusable {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// What rustls says.
        cause: rustls::Error,
    },
}

/// What connections are accepted with.
pub(crate) struct Tls {
    /// Begins handshakes.
    pub(crate) acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
}

/// The certificate that is shown to whoever connects next.
#[derive(Debug)]
struct Certificate {
    files: TlsFiles,
    current: RwLock<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }
}

impl Tls {
    /// The certificate's file.
    pub(crate) fn certificate_file(&self) -> &Path {
        &self.certificate.files.certificate
    }

    /// Reads the files.
    pub(crate) fn open(files: &TlsFiles) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let current = RwLock::new(Arc::new(read(files, &provider)?));
        let certificate = Arc::new(Certificate { files: files.clone(), current });
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring has TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&certificate) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), certificate })
    }

    /// Reads the files again whenever they have changed, at SIGHUP and by itself. Connections that are open keep
    /// what they were made with.
    pub(crate) async fn renew(&self) -> Infallible {
        let mut hangups = match signal(SignalKind::hangup()) {
            Ok(hangups) => Some(hangups),
            Err(error) => {
                tracing::warn!(%error, "SIGHUP can't be caught; the certificate is looked at every minute");
                None
            }
        };
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first one comes at once.
        ticks.tick().await;
        loop {
            match &mut hangups {
                Some(hangups) => tokio::select! { _ = hangups.recv() => {}, _ = ticks.tick() => {} },
                None => drop(ticks.tick().await),
            }
            self.certificate.read_again();
        }
    }
}

impl Certificate {
    fn current(&self) -> Arc<CertifiedKey> {
        // What is stored is whole at any time, whoever panicked.
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn read_again(&self) {
        match read(&self.files, &ring::default_provider()) {
            Ok(new) if new.cert == self.current().cert => {}
            Ok(new) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
                tracing::info!(path = %self.files.certificate.display(), "the TLS certificate was read again");
            }
            // Perhaps one of the two files has not been replaced yet.
            Err(error) => tracing::warn!(%error, "the TLS certificate in use is kept"),
        }
    }
}

fn read(files: &TlsFiles, provider: &CryptoProvider) -> Result<CertifiedKey, TlsError> {
    let chain = certificates(&files.certificate)?;
    let key = private_key(&files.key)?;
    CertifiedKey::from_der(chain, key, provider).map_err(|cause| TlsError::Unusable {
        certificate: files.certificate.clone(),
        key: files.key.clone(),
        cause,
    })
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let bytes = contents("cert", path)?;
    let not_pem = |cause: pem::Error| not_pem("cert", path, "certificate", &cause);
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&bytes).collect::<Result<_, _>>().map_err(not_pem)?;
    if chain.is_empty() { Err(not_pem(pem::Error::NoItemsFound)) } else { Ok(chain) }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let bytes = contents("key", path)?;
    let key = PrivateKeyDer::from_pem_slice(&bytes);
    key.map_err(|cause| not_pem("key", path, "private key without a password", &cause))
}

/// The parser's own words only where they can't repeat a line of a private key.
fn not_pem(what: &'static str, path: &Path, wanted: &'static str, cause: &pem::Error) -> TlsError {
    let cause = match cause {
        pem::Error::NoItemsFound => "there is none in it",
        pem::Error::MissingSectionEnd { .. } => "its end is missing",
        _ => "it is damaged",
    };
    TlsError::NotPem { what, path: path.to_owned(), wanted, cause: cause.to_owned() }
}

fn contents(what: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    let unreadable = |cause| TlsError::Unreadable { what, path: path.to_owned(), cause };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return Err(unreadable(io::Error::other("it is no file, or larger than 1 MiB")));
    }
    if what == "key" && metadata.mode() & 0o004 != 0 {
        tracing::warn!(path = %path.display(), "everybody on this machine may read the TLS key: chmod 600 it");
    }
    fs::read(path).map_err(unreadable)
}
