//! What the service measures of itself: one meter for all of its instruments, read as Prometheus text at `/metrics`.
//! Counted where it happens (`calls`, and the journal's own), or looked up when somebody reads (`gauges`).

mod access;
mod calls;
mod gauges;

use journal::Journal;
use opentelemetry::metrics::{Meter, MeterProvider};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use play::Play;
use prometheus::{Registry, TextEncoder};

pub(crate) use access::Guard;
pub use access::MetricsAccess;
pub(crate) use calls::Calls;

/// All instruments, and the one place to read them.
pub(crate) struct Metrics {
    provider: SdkMeterProvider,
    meter: Meter,
    registry: Registry,
}

impl Metrics {
    /// Nothing counted yet.
    pub(crate) fn new() -> Self {
        let registry = Registry::new();
        let exporter = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .without_target_info()
            .scope_info_enabled(false)
            .build()
            .expect("a fresh registry takes its first collector");
        let provider = SdkMeterProvider::builder().with_reader(exporter).build();
        let meter = provider.meter("matchbook");
        Self { provider, meter, registry }
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
