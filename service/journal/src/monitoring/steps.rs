//! Spans for tracing the steps of a call: a read, an append that waits, and the commit that writes it.
//! Without a subscriber they cost nothing.

use opentelemetry::trace::{SpanContext, TraceContextExt};
use tracing::{Span, error_span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::batch::Request;
use crate::writer::WriterKind;

/// The target of spans that are steps of calls. They have the highest level, so that only the target filters
/// them.
pub const STEPS: &str = "matchbook_step";

/// Creates the span of a read from a table.
pub(crate) fn read(system: &'static str, table: &'static str) -> Span {
    error_span!(
        target: STEPS,
        "read",
        otel.name = %format_args!("SELECT {table}"),
        otel.kind = "client",
        db.system.name = system,
        db.operation.name = "SELECT",
        db.collection.name = table
    )
}

/// Creates the span of an append, from entering the queue to its answer.
pub(crate) fn append(kind: WriterKind, events: usize) -> Span {
    error_span!(
        target: STEPS,
        "append",
        matchbook.writer = kind.as_str(),
        matchbook.events = i64::try_from(events).unwrap_or(i64::MAX),
        matchbook.outcome = field::Empty
    )
}

/// Creates the span of the commit that writes these requests. A span has one parent, here the first traced
/// request, so it is linked with all others in both directions. Returns a disabled span if no request is
/// traced.
pub(crate) fn commit(system: &'static str, kind: WriterKind, requests: &[Request]) -> Span {
    let traced: Vec<(&Span, SpanContext)> = requests.iter().filter_map(traced).collect();
    let Some((parent, _)) = traced.first() else { return Span::none() };
    let operation = if requests.len() == 1 { "INSERT" } else { "BATCH INSERT" };
    let commit = error_span!(
        target: STEPS,
        parent: *parent,
        "commit",
        otel.name = %format_args!("{operation} event"),
        otel.kind = "client",
        db.system.name = system,
        db.operation.name = operation,
        db.operation.batch.size = field::Empty,
        db.collection.name = "event",
        matchbook.writer = kind.as_str(),
        matchbook.outcome = field::Empty
    );
    // OpenTelemetry's conventions forbid a batch size of 1.
    if let Some(size) = i64::try_from(requests.len()).ok().filter(|size| *size > 1) {
        commit.record("db.operation.batch.size", size);
    }
    for (_, request) in &traced {
        commit.add_link(request.clone());
    }
    let written = commit.context().span().span_context().clone();
    for (request, _) in &traced[1..] {
        request.add_link(written.clone());
    }
    commit
}

fn traced(request: &Request) -> Option<(&Span, SpanContext)> {
    let span = &request.step;
    if span.is_disabled() {
        return None;
    }
    let context = span.context().span().span_context().clone();
    context.is_sampled().then_some((span, context))
}
