//! The TLS certificate and its private key: two PEM files.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;

const MAX_FILE_BYTES: u64 = 1 << 20;

/// The files of a certificate and its private key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate chain in PEM, leaf first.
    pub certificate: PathBuf,
    /// The leaf's private key, in PEM.
    pub key: PathBuf,
}

/// The settings that name the two files.
const CERTIFICATE: &str = "tls-cert";
const PRIVATE_KEY: &str = "tls-key";

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{}: cannot read the file: {cause}", path.display())]
    Unreadable {
        /// The setting that names it.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },
    /// A file does not contain the expected PEM item.
    #[error("{}: the file has no {expected} in PEM: {cause}", path.display())]
    NotPem {
        /// The setting that names it.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// The expected item.
        expected: &'static str,
        /// Why it was not found.
        cause: String,
    },
    /// The key does not belong to the certificate, or has an unsupported type.
    #[error(
        "the certificate {} and the private key {} cannot be used together: {cause}",
        certificate.display(), key.display()
    )]
    Unusable {
        /// The certificate chain.
        certificate: PathBuf,
        /// The private key.
        key: PathBuf,
        /// rustls's error.
        cause: rustls::Error,
    },
}

impl TlsError {
    /// Returns the setting whose value is the cause, as its flag without the dashes.
    pub(crate) fn setting(&self) -> &'static str {
        match self {
            Self::Unreadable { setting, .. } | Self::NotPem { setting, .. } => setting,
            Self::Unusable { .. } => PRIVATE_KEY,
        }
    }
}

/// Reads the files.
pub(super) fn read(files: &TlsFiles, provider: &CryptoProvider) -> Result<CertifiedKey, TlsError> {
    let chain = certificates(&files.certificate)?;
    let key = private_key(&files.key)?;
    CertifiedKey::from_der(chain, key, provider).map_err(|cause| TlsError::Unusable {
        certificate: files.certificate.clone(),
        key: files.key.clone(),
        cause,
    })
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let bytes = contents(CERTIFICATE, path)?;
    let not_pem = |cause: pem::Error| not_pem(CERTIFICATE, path, "certificate", &cause);
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&bytes).collect::<Result<_, _>>().map_err(not_pem)?;
    if chain.is_empty() { Err(not_pem(pem::Error::NoItemsFound)) } else { Ok(chain) }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let bytes = contents(PRIVATE_KEY, path)?;
    let key = PrivateKeyDer::from_pem_slice(&bytes);
    key.map_err(|cause| not_pem(PRIVATE_KEY, path, "private key without a password", &cause))
}

/// Leaves out the parser's message, which could repeat a line of a private key.
fn not_pem(setting: &'static str, path: &Path, expected: &'static str, cause: &pem::Error) -> TlsError {
    let cause = match cause {
        pem::Error::NoItemsFound => "none found; perhaps --tls-cert and --tls-key are swapped",
        pem::Error::MissingSectionEnd { .. } => "the end marker is missing",
        _ => "the content is malformed",
    };
    TlsError::NotPem { setting, path: path.to_owned(), expected, cause: cause.to_owned() }
}

fn contents(setting: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    let unreadable = |cause| TlsError::Unreadable { setting, path: path.to_owned(), cause };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return Err(unreadable(io::Error::other("not a regular file, or larger than 1 MiB")));
    }
    if setting == PRIVATE_KEY && metadata.mode() & 0o004 != 0 {
        tracing::warn!(path = %path.display(), "the TLS key is world-readable; run chmod 600");
    }
    fs::read(path).map_err(unreadable)
}
