//! One OpenTelemetry signal (traces or metrics): its endpoint, timeout and certificate from the `OTEL_*`
//! variables.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use http::Uri;

use super::error::OtlpError;

/// The only endpoint tried if a signal is enabled without one.
const DEFAULT_ENDPOINT: &str = "http://localhost:4318";

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The export settings of a signal.
#[derive(Clone)]
pub(super) struct Signal {
    /// `traces` or `metrics`.
    pub(super) name: &'static str,
    pub(super) endpoint: Uri,
    pub(super) timeout: Duration,
    /// The PEM file of root certificates that verify the collector; `None` for the system's.
    pub(super) certificate: Option<PathBuf>,
}

impl Signal {
    /// Reads the signal's variables. Returns `None` if the signal is disabled.
    pub(super) fn from_variables(
        signal: &'static str,
        variable: &impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, OtlpError> {
        let upper = signal.to_uppercase();
        let unsupported = |variable: String, expected| Err(OtlpError::Unsupported { variable, expected });
        // The variable of one signal takes precedence over the one of all signals.
        let setting = |what: &str| {
            let own = format!("OTEL_EXPORTER_OTLP_{upper}_{what}");
            let shared = format!("OTEL_EXPORTER_OTLP_{what}");
            [own, shared].into_iter().find_map(|name| variable(&name).map(|value| (name, value)))
        };
        let exporter = format!("OTEL_{upper}_EXPORTER");
        let endpoint = setting("ENDPOINT");
        match variable(&exporter).as_deref().map(str::trim) {
            Some("otlp") => {}
            None if endpoint.is_some() => {}
            None | Some("none") => return Ok(None),
            Some(_) => return unsupported(exporter, "otlp or none"),
        }
        if let Some((protocol, value)) = setting("PROTOCOL")
            && value != "http/protobuf"
        {
            return unsupported(protocol, "http/protobuf, which collectors accept on port 4318");
        }
        let timeout = match setting("TIMEOUT") {
            Some((timeout, value)) => match value.parse() {
                Ok(milliseconds) => Duration::from_millis(milliseconds),
                Err(_) => return unsupported(timeout, "a number of milliseconds"),
            },
            None => DEFAULT_TIMEOUT,
        };
        let (source, address) = endpoint.unwrap_or_else(|| (exporter, DEFAULT_ENDPOINT.to_owned()));
        let address = if source.contains(&upper) && source.ends_with("_ENDPOINT") {
            address
        } else {
            format!("{}/v1/{signal}", address.trim_end_matches('/'))
        };
        let endpoint: Option<Uri> = address.parse().ok();
        let Some(endpoint) = endpoint.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https"))) else {
            return unsupported(source, "a URL such as http://collector:4318");
        };
        let certificate = setting("CERTIFICATE").map(|(_, path)| path.into());
        Ok(Some(Self { name: signal, endpoint, timeout, certificate }))
    }

    /// Wraps the OpenTelemetry crate's error about this signal.
    pub(super) fn exporter_error(&self, error: &dyn Display) -> OtlpError {
        OtlpError::Exporter { signal: self.name, cause: error.to_string() }
    }
}
