//! Whether and where traces and metrics are sent (OTLP over http/protobuf), as the standard `OTEL_*` variables say it.
//! Headers, compression, queue sizes and the interval of metrics are read by the OpenTelemetry crates themselves.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use http::Uri;
use opentelemetry::KeyValue;
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::PeriodicReader;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use uuid::Uuid;

use super::courier::Courier;
use super::sampling::Sampling;

/// Nowhere else is it looked for.
const DEFAULT_ENDPOINT: &str = "http://localhost:4318";

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// What is sent to which collector. By default nothing.
#[derive(Clone, Default)]
pub struct OtlpSettings {
    pub(super) traces: Option<Signal>,
    metrics: Option<Signal>,
    pub(super) sampling: Sampling,
}

/// One kind of things to send.
#[derive(Clone)]
pub(super) struct Signal {
    /// What, for people.
    pub(super) carries: &'static str,
    pub(super) endpoint: Uri,
    pub(super) timeout: Duration,
    /// Roots of the collector's certificate, in PEM; those of the system if absent.
    pub(super) certificate: Option<PathBuf>,
}

/// A variable says something that can't be done.
#[derive(Debug, thiserror::Error)]
pub enum OtlpError {
    /// Another exporter, sampler or protocol than there are.
    #[error("{variable} takes {known}")]
    Unknown {
        /// The variable.
        variable: String,
        /// What it takes.
        known: &'static str,
    },
    /// The file of `OTEL_EXPORTER_OTLP_CERTIFICATE`.
    #[error("OTEL_EXPORTER_OTLP_CERTIFICATE: {} has no certificates in PEM that can be read", path.display())]
    Certificate {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The system's certificates can't be read.
    #[error("the system's certificates, which would prove the collector's, can't be read: {cause}")]
    Roots {
        /// Why not.
        cause: String,
    },
    /// Something that the OpenTelemetry crate reads itself.
    #[error("sending {carries} by OTLP: {cause}")]
    Exporter {
        /// What was to be sent.
        carries: &'static str,
        /// What it says.
        cause: String,
    },
}

impl OtlpSettings {
    /// What the environment wishes.
    pub fn from_environment() -> Result<Self, OtlpError> {
        // An empty variable counts as absent.
        Self::of(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
    }

    /// Everything to the collector at `http://HOST:PORT`, whatever the environment says.
    pub fn to(collector: &str) -> Result<Self, OtlpError> {
        Self::of(|name| (name == "OTEL_EXPORTER_OTLP_ENDPOINT").then(|| collector.to_owned()))
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Result<Self, OtlpError> {
        if variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            return Ok(Self::default());
        }
        Ok(Self {
            traces: Signal::of("traces", &variable)?,
            metrics: Signal::of("metrics", &variable)?,
            sampling: Sampling::of(&variable)?,
        })
    }

    /// Sends spans, if they are wanted.
    pub(super) fn span_exporter(&self) -> Result<Option<SpanExporter>, OtlpError> {
        let Some(signal) = &self.traces else { return Ok(None) };
        let builder = SpanExporter::builder().with_http().with_http_client(Courier::new(signal)?);
        let built = builder.with_endpoint(signal.endpoint.to_string()).with_timeout(signal.timeout).build();
        built.map(Some).map_err(|error| signal.unbuilt(&error))
    }

    /// Reads a meter now and then and sends it, if that is wanted.
    pub(crate) fn metric_reader(&self) -> Result<Option<PeriodicReader<MetricExporter>>, OtlpError> {
        let Some(signal) = &self.metrics else { return Ok(None) };
        let builder = MetricExporter::builder().with_http().with_http_client(Courier::new(signal)?);
        let built = builder.with_endpoint(signal.endpoint.to_string()).with_timeout(signal.timeout).build();
        let exporter = built.map_err(|error| signal.unbuilt(&error))?;
        Ok(Some(PeriodicReader::builder(exporter).build()))
    }
}

impl fmt::Debug for OtlpSettings {
    // An endpoint may have a password in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (traces, metrics) = (self.traces.is_some(), self.metrics.is_some());
        f.debug_struct("OtlpSettings")
            .field("traces", &traces)
            .field("metrics", &metrics)
            .finish_non_exhaustive()
    }
}

impl Signal {
    fn of(
        carries: &'static str,
        variable: &impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, OtlpError> {
        let name = carries.to_uppercase();
        let unknown = |variable: String, known| Err(OtlpError::Unknown { variable, known });
        // What is said of this signal alone goes before what is said of all.
        let said = |what: &str| {
            let own = format!("OTEL_EXPORTER_OTLP_{name}_{what}");
            let all = format!("OTEL_EXPORTER_OTLP_{what}");
            [own, all].into_iter().find_map(|name| variable(&name).map(|value| (name, value)))
        };
        let exporter = format!("OTEL_{name}_EXPORTER");
        let endpoint = said("ENDPOINT");
        match variable(&exporter).as_deref().map(str::trim) {
            Some("otlp") => {}
            None if endpoint.is_some() => {}
            None | Some("none") => return Ok(None),
            Some(_) => return unknown(exporter, "otlp or none"),
        }
        if let Some((protocol, value)) = said("PROTOCOL")
            && value != "http/protobuf"
        {
            return unknown(protocol, "http/protobuf, which collectors listen for on port 4318");
        }
        let timeout = match said("TIMEOUT") {
            Some((timeout, value)) => match value.parse() {
                Ok(milliseconds) => Duration::from_millis(milliseconds),
                Err(_) => return unknown(timeout, "a number of milliseconds"),
            },
            None => DEFAULT_TIMEOUT,
        };
        let (origin, address) = endpoint.unwrap_or_else(|| (exporter, DEFAULT_ENDPOINT.to_owned()));
        let address = if origin.contains(&name) && origin.ends_with("_ENDPOINT") {
            address
        } else {
            format!("{}/v1/{carries}", address.trim_end_matches('/'))
        };
        let endpoint: Option<Uri> = address.parse().ok();
        let Some(endpoint) = endpoint.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https"))) else {
            return unknown(origin, "a URL such as http://collector:4318");
        };
        let certificate = said("CERTIFICATE").map(|(_, path)| path.into());
        Ok(Some(Self { carries, endpoint, timeout, certificate }))
    }

    fn unbuilt(&self, error: &dyn fmt::Display) -> OtlpError {
        OtlpError::Exporter { carries: self.carries, cause: error.to_string() }
    }
}

/// Who it is that sends: what `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say, and what they leave out.
pub(crate) fn resource() -> Resource {
    let ours = [
        KeyValue::new("service.name", "matchbook"),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", instance()),
    ];
    let builder = Resource::builder_empty()
        .with_attributes(ours)
        .with_detector(Box::new(TelemetryResourceDetector))
        .with_detector(Box::new(EnvResourceDetector::new()));
    match std::env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => builder.with_service_name(name).build(),
        _ => builder.build(),
    }
}

/// The same for traces and metrics of one process.
fn instance() -> String {
    static INSTANCE: std::sync::LazyLock<Uuid> = std::sync::LazyLock::new(Uuid::new_v4);
    INSTANCE.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<OtlpSettings, OtlpError> {
        OtlpSettings::of(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn endpoints(variables: &[(&str, &str)]) -> [Option<String>; 2] {
        let otlp = read(variables).unwrap();
        [otlp.traces, otlp.metrics].map(|signal| signal.map(|signal| signal.endpoint.to_string()))
    }

    #[test]
    fn nothing_is_sent_unless_somebody_says_where_or_that() {
        assert_eq!(endpoints(&[]), [None, None]);
        let one = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/");
        let both = ["http://collector:4318/v1/traces", "http://collector:4318/v1/metrics"];
        assert_eq!(endpoints(&[one]), both.map(|url| Some(url.to_owned())));
        assert_eq!(endpoints(&[one, ("OTEL_SDK_DISABLED", "true")]), [None, None]);
        assert_eq!(endpoints(&[one, ("OTEL_TRACES_EXPORTER", "none")])[0], None);
        assert_eq!(endpoints(&[one, ("OTEL_METRICS_EXPORTER", "none")])[1], None);
        let asked = endpoints(&[("OTEL_METRICS_EXPORTER", "otlp")]);
        assert_eq!(asked, [None, Some("http://localhost:4318/v1/metrics".to_owned())]);
        let apart = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://traces.example/in");
        assert_eq!(endpoints(&[apart]), [Some("https://traces.example/in".to_owned()), None]);
        assert_eq!(endpoints(&[one, apart])[0], Some("https://traces.example/in".to_owned()));
    }

    #[test]
    fn the_shorter_word_is_for_both_and_the_longer_one_wins() {
        let otlp = read(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "2000"),
            ("OTEL_EXPORTER_OTLP_METRICS_TIMEOUT", "3000"),
        ])
        .unwrap();
        assert_eq!(otlp.traces.unwrap().timeout, Duration::from_secs(2));
        assert_eq!(otlp.metrics.unwrap().timeout, Duration::from_secs(3));
    }

    #[test]
    fn what_can_not_be_done_is_refused_by_its_name_and_without_its_value() {
        let here = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318");
        for wrong in [
            ("OTEL_TRACES_EXPORTER", "zipkin"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "http/json"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "user:secret@collector"),
            ("OTEL_TRACES_SAMPLER", "sometimes"),
            ("OTEL_TRACES_SAMPLER_ARG", "half"),
        ] {
            let error = read(&[here, wrong]).unwrap_err().to_string();
            assert!(error.starts_with(wrong.0) && !error.contains(wrong.1), "{error}");
        }
    }
}
