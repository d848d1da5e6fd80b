//! What the service measures of itself: one meter for all of its instruments, read as Prometheus text at `/metrics` and
//! sent by OTLP to whom it may concern.
//! Counted where it happens (`calls`, and the journal's own), or looked up when somebody reads (`gauges`).

mod access;
mod calls;
mod gauges;

use journal::Journal;
use opentelemetry::metrics::{Meter, MeterProvider};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use play::Play;
use prometheus::{Registry, TextEncoder};

use crate::telemetry::{OtlpError, OtlpSettings, resource};

pub(crate) use access::Guard;
pub use access::MetricsAccess;
pub(crate) use calls::Calls;

/// All instruments, and the one place to read them.
pub(crate) struct Metrics {
    provider: SdkMeterProvider,
    meter: Meter,
    registry: Registry,
    sent: bool,
}

impl Metrics {
    /// Nothing counted yet. From now on it is sent, if that is wished.
    pub(crate) fn new(otlp: &OtlpSettings) -> Result<Self, OtlpError> {
        let registry = Registry::new();
        let exporter = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .without_target_info()
            .scope_info_enabled(false)
            .build()
            .expect("a fresh registry takes its first collector");
        let mut builder = SdkMeterProvider::builder().with_reader(exporter).with_resource(resource());
        let mut sent = false;
        if let Some(reader) = otlp.metric_reader()? {
            builder = builder.with_reader(reader);
            sent = true;
        }
        let provider = builder.build();
        let meter = provider.meter("matchbook");
        Ok(Self { provider, meter, registry, sent })
    }

    /// Sends what is left, if anything is sent, when it is called; after that nothing is.
    pub(crate) fn last_words(&self) -> Option<impl FnOnce() + Send + 'static + use<>> {
        let provider = self.provider.clone();
        // A collector that does not listen has been warned of.
        self.sent.then_some(move || drop(provider.shutdown()))
    }

    /// Where the parts of the service put their instruments.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// From now on tells of these as well.
    pub(crate) fn observe(&self, play: &Play, journal: &Journal) {
        gauges::observe(&self.meter, play, journal);
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn text(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

impl Drop for Metrics {
    fn drop(&mut self) {
        // What the gauges look at is kept alive by the provider; it says so itself if it was shut down before.
        let _ = self.provider.shutdown();
    }
}
