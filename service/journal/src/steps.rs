//! Spans for whoever follows a call: reading for it, waiting for its events, and the statement that writes them. Who
//! listens to spans is not known here; if nobody does, they cost nothing.

use opentelemetry::trace::{SpanContext, TraceContextExt};
use tracing::{Span, error_span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::lane::Role;
use crate::request::Request;

/// The target of spans that are steps of calls. At the highest level, so that only the target decides who sees them.
pub const STEPS: &str = "matchbook_step";

/// A question to the database about this table.
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

/// An append, from its place in the queue to its answer.
pub(crate) fn append(role: Role, events: usize) -> Span {
    error_span!(
        target: STEPS,
        "append",
        matchbook.lane = role.name(),
        matchbook.events = i64::try_from(events).unwrap_or(i64::MAX),
        matchbook.outcome = field::Empty
    )
}

/// The statement that writes these requests. It can have one parent only, the first request that is traced, so it is
/// linked with all of them: it to them, and the others to it. None if none of them is traced.
pub(crate) fn commit(system: &'static str, role: Role, requests: &[Request]) -> Span {
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
        matchbook.lane = role.name(),
        matchbook.outcome = field::Empty
    );
    // The conventions know no batch of one.
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
