//! Why the OpenTelemetry settings cannot be used.

use std::path::PathBuf;

/// Why the OpenTelemetry settings cannot be used. Messages name variables but not their values, which may be
/// secret.
#[derive(Debug, thiserror::Error)]
pub enum OtlpError {
    /// A variable has an unsupported value.
    #[error("{variable} must be {expected}")]
    Unsupported {
        /// The variable.
        variable: String,
        /// The supported values.
        expected: &'static str,
    },
    /// The file of `OTEL_EXPORTER_OTLP_CERTIFICATE` has no usable certificate.
    #[error("OTEL_EXPORTER_OTLP_CERTIFICATE: no readable PEM certificates in {}", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
    },
    /// The system's root certificates cannot be read.
    #[error("cannot read the system's root certificates, needed to verify the collector's: {cause}")]
    Roots {
        /// rustls's error.
        cause: String,
    },
    /// The OpenTelemetry crate rejects one of the settings that it reads itself.
    #[error("cannot export {signal} by OTLP: {cause}")]
    Exporter {
        /// `traces` or `metrics`.
        signal: &'static str,
        /// The crate's error.
        cause: String,
    },
}
