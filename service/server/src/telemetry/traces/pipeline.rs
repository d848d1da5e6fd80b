//! The trace pipeline: which spans are exported, through which exporter.

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use play::STEPS;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use super::conventions::{CALL_SPAN, ConventionTracer};
use super::last_value::LastValueExporter;
use crate::telemetry::flush::{FLUSH_TIMEOUT, flush};
use crate::telemetry::otlp::{OtlpError, OtlpSettings, resource};

/// The maximum appends in a batch, each of which the batch's span links to.
const MAX_LINKS: u32 = 512;

/// The exporter of spans, if traces are configured.
#[derive(Clone, Debug, Default)]
pub struct TracePipeline {
    provider: Option<SdkTracerProvider>,
}

impl TracePipeline {
    /// Creates the exporter if `otlp` enables traces.
    pub fn new(otlp: &OtlpSettings) -> Result<Self, OtlpError> {
        let Some(exporter) = otlp.span_exporter()? else { return Ok(Self::default()) };
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(LastValueExporter(exporter))
            .with_sampler(otlp.sampler().clone())
            .with_max_links_per_span(MAX_LINKS)
            .with_resource(resource())
            .build();
        Ok(Self { provider: Some(provider) })
    }

    /// Returns the subscriber's layer that records spans, or `None` without an exporter.
    pub fn layer<S>(&self) -> Option<impl Layer<S> + Send + Sync + use<S>>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let tracer = ConventionTracer(self.provider.as_ref()?.tracer("matchbook"));
        // Excludes log events, and the spans of libraries, which would include the exporter's own.
        let own_spans = filter_fn(|metadata| {
            metadata.is_span() && (metadata.target() == STEPS || metadata.name() == CALL_SPAN)
        })
        .with_max_level_hint(LevelFilter::ERROR);
        let layer = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        Some(layer.with_filter(own_spans))
    }

    /// Returns whether spans are exported.
    pub(in crate::telemetry) fn is_enabled(&self) -> bool {
        self.provider.is_some()
    }

    /// Exports the remaining spans, with a time limit.
    pub async fn shut_down(self) {
        let Some(provider) = self.provider else { return };
        flush(move || drop(provider.shutdown_with_timeout(FLUSH_TIMEOUT))).await;
    }
}
