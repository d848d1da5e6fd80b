//! From our spans to OpenTelemetry's: which of them are sent, by what names, and how they leave. What a call did is told
//! in the words of the semantic conventions for RPC.

use std::fmt;
use std::time::Duration;

use opentelemetry::trace::{
    SpanBuilder, SpanKind, Status as SpanStatus, TraceContextExt, Tracer, TracerProvider,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span, SpanData, SpanExporter as Exports};
use play::STEPS;
use tonic::Code;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use super::otlp::{OtlpError, OtlpSettings, resource};

/// The log's span of a call.
pub(crate) const CALL: &str = "call";

/// The name of calls that are no calls of ours: health, reflection, paths that do not exist.
pub(super) const UNTRACED: &str = "other";

/// The protocol's package, which the log leaves out.
const PACKAGE: &str = "matchbook.v1";

/// A batch has at most so many appends, and each is linked.
const LINKS: u32 = 512;

/// Where spans go, if anywhere.
#[derive(Clone, Debug, Default)]
pub struct TracePipeline {
    provider: Option<SdkTracerProvider>,
}

impl TracePipeline {
    /// Ready to send; nothing is, unless it is wished for.
    pub fn new(otlp: &OtlpSettings) -> Result<Self, OtlpError> {
        let Some(exporter) = otlp.span_exporter()? else { return Ok(Self::default()) };
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(LastWords(exporter))
            .with_sampler(otlp.sampling.clone())
            .with_max_links_per_span(LINKS)
            .with_resource(resource())
            .build();
        Ok(Self { provider: Some(provider) })
    }

    /// What hears of spans, for a subscriber.
    pub fn layer<S>(&self) -> Option<impl Layer<S> + Send + Sync + use<S>>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let tracer = InTheirWords(self.provider.as_ref()?.tracer("matchbook"));
        // Only spans, and only ours: not the log's lines, and nothing of the libraries that carry this away.
        let wanted = filter_fn(|metadata| {
            metadata.is_span() && (metadata.target() == STEPS || metadata.name() == CALL)
        })
        .with_max_level_hint(LevelFilter::ERROR);
        let layer = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        Some(layer.with_filter(wanted))
    }

    /// Whether spans are sent.
    pub(super) fn are_sent(&self) -> bool {
        self.provider.is_some()
    }

    /// Sends what is left, but does not wait long for it.
    pub async fn shut_down(self) {
        let Some(provider) = self.provider else { return };
        bounded(move || drop(provider.shutdown_with_timeout(PATIENCE))).await;
    }
}

/// How long the end waits for a collector.
const PATIENCE: Duration = Duration::from_secs(3);

/// Does what blocks in a thread that nobody has to wait for.
pub(crate) async fn bounded(work: impl FnOnce() + Send + 'static) {
    let (done, finished) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        work();
        // Whoever asked may have gone on.
        let _ = done.send(());
    });
    if tokio::time::timeout(PATIENCE, finished).await.is_err() {
        tracing::warn!("the collector did not take what was left to tell it in time");
    }
}

/// Puts the log's words for a call into those of the conventions before the span begins, so that samplers see them.
struct InTheirWords(SdkTracer);

impl Tracer for InTheirWords {
    type Span = Span;

    fn build_with_context(&self, mut builder: SpanBuilder, parent: &Context) -> Span {
        if builder.name == CALL {
            translate(&mut builder, parent);
        }
        self.0.build_with_context(builder, parent)
    }
}

fn translate(builder: &mut SpanBuilder, parent: &Context) {
    let local = parent.span().span_context().is_valid() && !parent.span().span_context().is_remote();
    // A call that came by REST is within the span of its HTTP request.
    builder.span_kind = Some(if local { SpanKind::Internal } else { SpanKind::Server });
    let attributes = builder.attributes.get_or_insert_default();
    let Some(at) = attributes.iter().position(|attribute| attribute.key.as_str() == "method") else { return };
    let method = attributes.swap_remove(at).value.to_string();
    let Some((service, method)) = method.split_once('/') else {
        builder.name = UNTRACED.into();
        return;
    };
    let service = format!("{PACKAGE}.{service}");
    builder.name = format!("{service}/{method}").into();
    attributes.extend([
        KeyValue::new("rpc.system", "grpc"),
        KeyValue::new("rpc.service", service),
        KeyValue::new("rpc.method", method.to_owned()),
    ]);
}

/// Tells on a call's span how it ended.
pub(crate) fn ended(span: &tracing::Span, code: Code, reason: Option<String>) {
    span.set_attribute("rpc.grpc.status_code", i64::from(i32::from(code)));
    if let Some(reason) = reason {
        span.set_attribute("matchbook.reason", reason);
    }
    let ours = matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    );
    if ours {
        span.set_status(SpanStatus::error(""));
    }
}

/// Of what was told twice on a span, the later counts.
#[derive(Debug)]
struct LastWords(SpanExporter);

impl Exports for LastWords {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        for span in &mut batch {
            keep_last(&mut span.attributes);
        }
        self.0.export(batch).await
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn keep_last(attributes: &mut Vec<KeyValue>) {
    let mut at = 0;
    while at < attributes.len() {
        let again = attributes[at + 1..].iter().any(|later| later.key == attributes[at].key);
        if again {
            attributes.remove(at);
        } else {
            at += 1;
        }
    }
}

impl fmt::Debug for InTheirWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InTheirWords")
    }
}
