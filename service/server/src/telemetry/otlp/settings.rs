//! Reads which signals are exported, and builds their exporters. The OpenTelemetry crates themselves read
//! headers, compression, queue sizes and the metrics' interval.

use std::{env, fmt};

use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::metrics::PeriodicReader;

use super::error::OtlpError;
use super::http_client::OtlpHttpClient;
use super::sampler::CallSampler;
use super::signal::Signal;

/// The export settings of traces and metrics. The default exports nothing.
#[derive(Clone, Default)]
pub struct OtlpSettings {
    traces: Option<Signal>,
    metrics: Option<Signal>,
    sampler: CallSampler,
}

impl OtlpSettings {
    /// Reads the environment.
    pub fn from_environment() -> Result<Self, OtlpError> {
        // An empty variable counts as absent.
        Self::from_variables(|name| env::var(name).ok().filter(|value| !value.trim().is_empty()))
    }

    /// Exports everything to the collector at `http://HOST:PORT`, ignoring the environment.
    pub fn to(collector: &str) -> Result<Self, OtlpError> {
        Self::from_variables(|name| (name == "OTEL_EXPORTER_OTLP_ENDPOINT").then(|| collector.to_owned()))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, OtlpError> {
        if variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            return Ok(Self::default());
        }
        Ok(Self {
            traces: Signal::from_variables("traces", &variable)?,
            metrics: Signal::from_variables("metrics", &variable)?,
            sampler: CallSampler::from_variables(&variable)?,
        })
    }

    /// Returns the sampler of traces.
    pub(in crate::telemetry) fn sampler(&self) -> &CallSampler {
        &self.sampler
    }

    /// Builds the exporter of spans, if traces are enabled.
    pub(in crate::telemetry) fn span_exporter(&self) -> Result<Option<SpanExporter>, OtlpError> {
        let Some(signal) = &self.traces else { return Ok(None) };
        let builder = SpanExporter::builder().with_http().with_http_client(OtlpHttpClient::new(signal)?);
        let built = builder.with_endpoint(signal.endpoint.to_string()).with_timeout(signal.timeout).build();
        built.map(Some).map_err(|error| signal.exporter_error(&error))
    }

    /// Builds the periodic exporter of metrics, if they are enabled.
    pub(in crate::telemetry) fn metric_reader(
        &self,
    ) -> Result<Option<PeriodicReader<MetricExporter>>, OtlpError> {
        let Some(signal) = &self.metrics else { return Ok(None) };
        let builder = MetricExporter::builder().with_http().with_http_client(OtlpHttpClient::new(signal)?);
        let built = builder.with_endpoint(signal.endpoint.to_string()).with_timeout(signal.timeout).build();
        let exporter = built.map_err(|error| signal.exporter_error(&error))?;
        Ok(Some(PeriodicReader::builder(exporter).build()))
    }
}

impl fmt::Debug for OtlpSettings {
    // Omits the endpoints, which may contain passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (traces, metrics) = (self.traces.is_some(), self.metrics.is_some());
        f.debug_struct("OtlpSettings")
            .field("traces", &traces)
            .field("metrics", &metrics)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<OtlpSettings, OtlpError> {
        OtlpSettings::from_variables(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn endpoints(variables: &[(&str, &str)]) -> [Option<String>; 2] {
        let otlp = read(variables).unwrap();
        [otlp.traces, otlp.metrics].map(|signal| signal.map(|signal| signal.endpoint.to_string()))
    }

    #[test]
    fn nothing_is_exported_without_an_endpoint_or_exporter() {
        assert_eq!(endpoints(&[]), [None, None]);
        let shared = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/");
        let both = ["http://collector:4318/v1/traces", "http://collector:4318/v1/metrics"];
        assert_eq!(endpoints(&[shared]), both.map(|url| Some(url.to_owned())));
        assert_eq!(endpoints(&[shared, ("OTEL_SDK_DISABLED", "true")]), [None, None]);
        assert_eq!(endpoints(&[shared, ("OTEL_TRACES_EXPORTER", "none")])[0], None);
        assert_eq!(endpoints(&[shared, ("OTEL_METRICS_EXPORTER", "none")])[1], None);
        let enabled = endpoints(&[("OTEL_METRICS_EXPORTER", "otlp")]);
        assert_eq!(enabled, [None, Some("http://localhost:4318/v1/metrics".to_owned())]);
        let traces_only = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://traces.example/in");
        assert_eq!(endpoints(&[traces_only]), [Some("https://traces.example/in".to_owned()), None]);
        assert_eq!(endpoints(&[shared, traces_only])[0], Some("https://traces.example/in".to_owned()));
    }

    #[test]
    fn the_variable_of_one_signal_overrides_the_shared_one() {
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
    fn errors_name_the_variable_but_not_its_value() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318");
        for unsupported in [
            ("OTEL_TRACES_EXPORTER", "zipkin"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "http/json"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "user:secret@collector"),
            ("OTEL_TRACES_SAMPLER", "sometimes"),
            ("OTEL_TRACES_SAMPLER_ARG", "half"),
        ] {
            let error = read(&[endpoint, unsupported]).unwrap_err().to_string();
            assert!(error.starts_with(unsupported.0) && !error.contains(unsupported.1), "{error}");
        }
    }
}
