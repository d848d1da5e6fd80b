//! Renders a trace as a tree, for the output of tests and for `docs/telemetry.md`.

use std::fmt::Write;

use opentelemetry_proto::tonic::trace::v1::Span;

use super::collector::attributes;

/// Heading of the columns: milliseconds since the start of the first span, duration in milliseconds, and
/// name.
pub(crate) const HEADING: &str = "  begins    takes  span";

/// Attributes shown beside a span's name.
const SHOWN: [&str; 6] = [
    "http.response.status_code",
    "rpc.grpc.status_code",
    "db.system.name",
    "db.operation.batch.size",
    "matchbook.events",
    "matchbook.outcome",
];

/// Renders the spans of a trace, each under its parent, ordered by start.
pub(crate) fn tree(spans: &[Span], trace_id: &[u8]) -> String {
    let mut spans: Vec<&Span> = spans.iter().filter(|span| span.trace_id == trace_id).collect();
    spans.sort_by_key(|span| (span.start_time_unix_nano, span.end_time_unix_nano));
    let known = |id: &[u8]| spans.iter().any(|span| span.span_id == id);
    let began = spans.first().map_or(0, |span| span.start_time_unix_nano);
    let mut text = format!("{HEADING}\n");
    for root in spans.iter().filter(|span| !known(&span.parent_span_id)) {
        branch(&mut text, &spans, root, 0, began);
    }
    text
}

/// Returns the lines of a tree without their times, which differ between runs.
pub(crate) fn without_times(tree: &str) -> Vec<&str> {
    tree.lines().skip(1).map(|line| line.split_at_checked(19).map_or(line, |(_, rest)| rest)).collect()
}

/// Returns the tree that `docs/telemetry.md` shows.
pub(crate) fn documented_tree() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/telemetry.md");
    let page = std::fs::read_to_string(page).unwrap();
    let lines = page.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    let block = lines.skip_while(|line| *line != HEADING).take_while(|line| !line.is_empty());
    block.collect::<Vec<_>>().join("\n")
}

fn branch(text: &mut String, spans: &[&Span], span: &Span, depth: usize, began: u64) {
    let milliseconds = |nanoseconds: u64| std::time::Duration::from_nanos(nanoseconds).as_secs_f64() * 1e3;
    let at = milliseconds(span.start_time_unix_nano.saturating_sub(began));
    let took = milliseconds(span.end_time_unix_nano.saturating_sub(span.start_time_unix_nano));
    let values = attributes(&span.attributes);
    let shown: Vec<_> =
        SHOWN.iter().filter_map(|name| Some(format!("{name}={}", values.get(*name)?))).collect();
    let name = format!("{}{}", "  ".repeat(depth), span.name);
    let line = format!("{at:8.2} {took:8.2}  {name:<43} {}", shown.join(" "));
    writeln!(text, "{}", line.trim_end()).unwrap();
    for child in spans.iter().filter(|child| child.parent_span_id == span.span_id) {
        branch(text, spans, child, depth + 1, began);
    }
}
