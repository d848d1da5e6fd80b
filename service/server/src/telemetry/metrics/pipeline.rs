//! The metrics pipeline: the meter that all instruments come from, and its readers, Prometheus text and OTLP
//! if configured.

use journal::Journal;
use opentelemetry::metrics::{Meter, MeterProvider};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use play::Play;
use prometheus::{Registry, TextEncoder};

use super::gauges;
use crate::telemetry::otlp::{OtlpError, OtlpSettings, resource};

/// The meter of all instruments, and its readers.
pub(crate) struct Metrics {
    provider: SdkMeterProvider,
    meter: Meter,
    registry: Registry,
    exported: bool,
}

impl Metrics {
    /// Creates the meter, and starts to export it if `otlp` enables metrics.
    pub(crate) fn new(otlp: &OtlpSettings) -> Result<Self, OtlpError> {
        let registry = Registry::new();
        let exporter = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .without_target_info()
            .scope_info_enabled(false)
            .build()
            .expect("a new registry accepts its first collector");
        let mut builder = SdkMeterProvider::builder().with_reader(exporter).with_resource(resource());
        let mut exported = false;
        if let Some(reader) = otlp.metric_reader()? {
            builder = builder.with_reader(reader);
            exported = true;
        }
        let provider = builder.build();
        let meter = provider.meter("matchbook");
        Ok(Self { provider, meter, registry, exported })
    }

    /// Returns a closure that exports the remaining values and stops exporting, or `None` if metrics are not
    /// exported.
    pub(crate) fn final_export(&self) -> Option<impl FnOnce() + Send + 'static + use<>> {
        let provider = self.provider.clone();
        // Failures of the collector are already logged.
        self.exported.then_some(move || drop(provider.shutdown()))
    }

    /// Returns the meter for the instruments of other modules.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Registers the observable instruments of `play` and the journal.
    pub(crate) fn observe(&self, play: &Play, journal: &Journal) {
        gauges::observe(&self.meter, play, journal);
    }

    /// Renders all metrics as Prometheus text.
    pub(crate) fn text(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

impl Drop for Metrics {
    fn drop(&mut self) {
        // The provider keeps the observed objects alive. A second shutdown fails harmlessly.
        let _ = self.provider.shutdown();
    }
}
