//! Converts the log's spans to OpenTelemetry's semantic conventions for RPC.

use std::fmt;

use opentelemetry::trace::{SpanBuilder, SpanKind, Status as SpanStatus, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{SdkTracer, Span};
use tonic::Code;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::telemetry::otlp::UNTRACED_SPAN;

/// The name of a call's span in the log.
pub(crate) const CALL_SPAN: &str = "call";

/// The protocol's package, which the log's method names omit.
const PACKAGE: &str = "matchbook.v1";

/// A tracer that renames call spans and their attributes before the span starts, so that samplers see the
/// converted form.
pub(super) struct ConventionTracer(pub(super) SdkTracer);

impl Tracer for ConventionTracer {
    type Span = Span;

    fn build_with_context(&self, mut builder: SpanBuilder, parent: &Context) -> Span {
        if builder.name == CALL_SPAN {
            convert(&mut builder, parent);
        }
        self.0.build_with_context(builder, parent)
    }
}

fn convert(builder: &mut SpanBuilder, parent: &Context) {
    let local = parent.span().span_context().is_valid() && !parent.span().span_context().is_remote();
    // A call over REST is a child of its HTTP request's span.
    builder.span_kind = Some(if local { SpanKind::Internal } else { SpanKind::Server });
    let attributes = builder.attributes.get_or_insert_default();
    let Some(index) = attributes.iter().position(|attribute| attribute.key.as_str() == "method") else {
        return;
    };
    let method = attributes.swap_remove(index).value.to_string();
    let Some((service, method)) = method.split_once('/') else {
        builder.name = UNTRACED_SPAN.into();
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

/// Records the call's result on its span.
pub(crate) fn record_end(span: &tracing::Span, code: Code, reason: Option<&'static str>) {
    span.set_attribute("rpc.grpc.status_code", i64::from(i32::from(code)));
    if let Some(reason) = reason {
        span.set_attribute("matchbook.reason", reason);
    }
    let server_error = matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    );
    if server_error {
        span.set_status(SpanStatus::error(""));
    }
}

impl fmt::Debug for ConventionTracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConventionTracer")
    }
}
