//! A trace as a tree, for people and for the page about operating.

use std::fmt::Write;

use opentelemetry_proto::tonic::trace::v1::Span;

use super::collector::attributes;

/// What stands beside a span's name, if it has it.
const SHOWN: [&str; 6] = [
    "http.response.status_code",
    "rpc.grpc.status_code",
    "db.system.name",
    "db.operation.batch.size",
    "matchbook.events",
    "matchbook.outcome",
];

/// The spans of a trace, each under its parent, in the order of their beginnings: when it began and how long it took,
/// in milliseconds.
pub(crate) fn tree(spans: &[Span], trace_id: &[u8]) -> String {
    let mut spans: Vec<&Span> = spans.iter().filter(|span| span.trace_id == trace_id).collect();
    spans.sort_by_key(|span| (span.start_time_unix_nano, span.end_time_unix_nano));
    let known = |id: &[u8]| spans.iter().any(|span| span.span_id == id);
    let began = spans.first().map_or(0, |span| span.start_time_unix_nano);
    let mut text = String::new();
    for root in spans.iter().filter(|span| !known(&span.parent_span_id)) {
        branch(&mut text, &spans, root, 0, began);
    }
    text
}

fn branch(text: &mut String, spans: &[&Span], span: &Span, depth: usize, began: u64) {
    let milliseconds = |nanoseconds: u64| std::time::Duration::from_nanos(nanoseconds).as_secs_f64() * 1e3;
    let at = milliseconds(span.start_time_unix_nano.saturating_sub(began));
    let took = milliseconds(span.end_time_unix_nano.saturating_sub(span.start_time_unix_nano));
    let told = attributes(&span.attributes);
    let shown: Vec<_> =
        SHOWN.iter().filter_map(|name| Some(format!("{name}={}", told.get(*name)?))).collect();
    let name = format!("{}{}", "  ".repeat(depth), span.name);
    writeln!(text, "{at:7.2} {took:7.2}  {name:<44} {}", shown.join(" ")).unwrap();
    for child in spans.iter().filter(|child| child.parent_span_id == span.span_id) {
        branch(text, spans, child, depth + 1, began);
    }
}
