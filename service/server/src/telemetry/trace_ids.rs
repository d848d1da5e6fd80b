//! Adds trace and span ids to log lines, so that a line leads to its trace and back.

use std::fmt;

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, TraceContextExt};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::log_format::LogFormat;

/// An event format that adds the ids to the lines of another one.
pub(super) struct WithTraceIds<F> {
    inner: F,
    format: LogFormat,
}

impl<F> WithTraceIds<F> {
    /// Wraps `inner`, which writes lines in `format`.
    pub(super) fn new(inner: F, format: LogFormat) -> Self {
        Self { inner, format }
    }
}

impl<S, N, F> FormatEvent<S, N> for WithTraceIds<F>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    N: for<'writer> FormatFields<'writer> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let span = Context::map_current(|current| current.span().span_context().clone());
        if !span.is_valid() {
            return self.inner.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.inner.format_event(context, Writer::new(&mut line), event)?;
        match self.format {
            LogFormat::Text => write_text(&mut writer, line.trim_end_matches('\n'), &span),
            LogFormat::Json => write_json(&mut writer, &line, &span),
        }
    }
}

fn write_text(writer: &mut Writer<'_>, line: &str, span: &SpanContext) -> fmt::Result {
    writeln!(writer, "{line} trace_id={} span_id={}", span.trace_id(), span.span_id())
}

fn write_json(writer: &mut Writer<'_>, line: &str, span: &SpanContext) -> fmt::Result {
    let Some(members) = line.strip_prefix('{') else { return writer.write_str(line) };
    write!(writer, "{{\"trace_id\":\"{}\",\"span_id\":\"{}\",{members}", span.trace_id(), span.span_id())
}
