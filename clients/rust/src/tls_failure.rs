//! Why TLS failed, in words that say whose turn it is: rustls' own are for programmers.

use std::fmt::{self, Display, Formatter};

use rustls::{CertificateError, Error, InvalidMessage};

/// Maximum number of a certificate's names that a message lists.
const MAX_NAMES: usize = 5;

/// Why a connection with TLS failed. Nothing was sent over it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TlsFailure {
    /// No trusted certificate signed the service's.
    Untrusted,
    /// The service's certificate is one that signs others (CA:TRUE) and may not name a service.
    SigningCertificate,
    /// The certificate's time is over.
    Expired,
    /// The certificate's time has not begun.
    NotYetValid,
    /// The certificate names other hosts than the one in the address.
    OtherName {
        /// The names in the certificate, at most five.
        names: Vec<String>,
    },
    /// The server does not speak TLS.
    Plaintext,
    /// Another failure, in the words of the TLS library.
    Other(String),
}

impl From<&Error> for TlsFailure {
    fn from(error: &Error) -> Self {
        match error {
            Error::InvalidCertificate(cause) => Self::of_certificate(cause, error),
            Error::InvalidMessage(InvalidMessage::InvalidContentType) => Self::Plaintext,
            other => Self::Other(other.to_string()),
        }
    }
}

impl TlsFailure {
    fn of_certificate(cause: &CertificateError, error: &Error) -> Self {
        match cause {
            // The last three: a trusted certificate has the issuer's name, and another key.
            CertificateError::UnknownIssuer
            | CertificateError::BadSignature
            | CertificateError::UnsupportedSignatureAlgorithmContext { .. }
            | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => Self::Untrusted,
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => Self::Expired,
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => Self::NotYetValid,
            CertificateError::NotValidForName => Self::OtherName { names: Vec::new() },
            CertificateError::NotValidForNameContext { presented, .. } => {
                let names = presented.iter().take(MAX_NAMES).map(|name| plain_name(name).to_owned());
                Self::OtherName { names: names.collect() }
            }
            // The verifier has no type for this one.
            CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
                Self::SigningCertificate
            }
            _ => Self::Other(error.to_string()),
        }
    }
}

/// Returns the name in `DnsName("example.org")` or `IpAddress(192.0.2.1)`.
fn plain_name(shown: &str) -> &str {
    let inner = shown.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.map_or(shown, |inner| inner.trim_matches('"'))
}

impl Display for TlsFailure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted => {
                f.write_str("its certificate is not signed by anyone that this machine trusts")
            }
            Self::SigningCertificate => {
                f.write_str("its certificate is meant to sign others (CA:TRUE), not to name a service")
            }
            Self::Expired => f.write_str("its certificate has expired"),
            Self::NotYetValid => f.write_str("its certificate is not valid yet"),
            Self::OtherName { names } if names.is_empty() => {
                f.write_str("its certificate does not name this host")
            }
            Self::OtherName { names } => {
                write!(f, "its certificate does not name this host, only {}", names.join(", "))
            }
            Self::Plaintext => f.write_str("it answers without TLS"),
            Self::Other(cause) => write!(f, "TLS failed: {cause}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_key_under_a_trusted_name_is_not_trusted() {
        let other_kind = CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext {
            signature_algorithm_id: Vec::new(),
            public_key_algorithm_id: Vec::new(),
        };
        for cause in [CertificateError::BadSignature, other_kind] {
            assert_eq!(TlsFailure::from(&Error::InvalidCertificate(cause)), TlsFailure::Untrusted);
        }
    }

    #[test]
    fn names_are_shown_without_their_kind() {
        let names = ["DnsName(\"play.example\")", "IpAddress(192.0.2.1)", "odd"].map(plain_name);
        assert_eq!(names, ["play.example", "192.0.2.1", "odd"]);
    }
}
