//! The caller's span from W3C's `traceparent` header. `tracestate` and `baggage` are ignored, as their
//! content would be exported with our spans.

use http::{HeaderMap, HeaderValue};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const HEADER: &str = "traceparent";

/// The length of version 0; later versions start with the same fields.
const LENGTH: usize = 55;

/// Makes the caller's span the parent of a span that is not entered yet, unless it has a parent in this
/// process. A malformed header counts as absent.
pub(crate) fn adopt_parent(span: &Span, headers: &HeaderMap) {
    let Some(parent) = caller_span(headers) else { return };
    if Context::map_current(Context::has_active_span) {
        return;
    }
    // Fails only if traces are disabled.
    let _ = span.set_parent(Context::new().with_remote_span_context(parent));
}

/// Returns the caller's trace id, if the header is valid.
pub(crate) fn trace_id(headers: &HeaderMap) -> Option<TraceId> {
    caller_span(headers).map(|span| span.trace_id())
}

fn caller_span(headers: &HeaderMap) -> Option<SpanContext> {
    let mut values = headers.get_all(HEADER).iter();
    let value = values.next()?;
    // Repeated headers are ambiguous.
    values.next().is_none().then(|| parse(value))?
}

fn parse(value: &HeaderValue) -> Option<SpanContext> {
    let text = value.to_str().ok()?;
    let (known, later) = text.split_at_checked(LENGTH)?;
    let mut fields = known.split('-');
    let version = u8::try_from(hex(fields.next()?, 2)?).ok()?;
    let trace_id = hex(fields.next()?, 32)?;
    let span_id = u64::try_from(hex(fields.next()?, 16)?).ok()?;
    let flags = u8::try_from(hex(fields.next()?, 2)?).ok()?;
    let valid_end = if version == 0 { later.is_empty() } else { later.is_empty() || later.starts_with('-') };
    if version == u8::MAX || !valid_end || fields.next().is_some() {
        return None;
    }
    let flags = TraceFlags::new(flags) & TraceFlags::SAMPLED;
    let caller =
        SpanContext::new(TraceId::from(trace_id), SpanId::from(span_id), flags, true, TraceState::default());
    caller.is_valid().then_some(caller)
}

/// Parses exactly `count` lowercase hexadecimal digits.
fn hex(text: &str, count: usize) -> Option<u128> {
    let lowercase = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if text.len() != count || !lowercase {
        return None;
    }
    u128::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn parent(values: &[&str]) -> Option<SpanContext> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        caller_span(&headers)
    }

    #[test]
    fn a_valid_header_is_parsed() {
        let caller = parent(&[GOOD]).unwrap();
        assert_eq!(caller.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(caller.span_id().to_string(), "00f067aa0ba902b7");
        assert!(caller.is_sampled() && caller.is_remote());
        assert!(!parent(&[&GOOD.replace("-01", "-00")]).unwrap().is_sampled());
        // Later versions may add fields.
        assert!(parent(&[&GOOD.replacen("00", "01", 1)]).is_some());
        assert!(parent(&[&format!("{}-more", GOOD.replacen("00", "cc", 1))]).is_some());
        assert!(parent(&[&GOOD.replace("-01", "-ff")]).unwrap().is_sampled());
    }

    #[test]
    fn malformed_headers_are_ignored() {
        let wrong = [
            "",
            "nonsense",
            &GOOD.replacen("00", "ff", 1),
            &format!("{GOOD}-more"),
            &format!("{GOOD} "),
            &GOOD.to_uppercase(),
            &GOOD.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32)),
            &GOOD.replace("00f067aa0ba902b7", &"0".repeat(16)),
            &GOOD.replace("4bf9", "4bg9"),
            &GOOD.replace("4bf9", "+bf9"),
            &GOOD.replace('-', "_"),
            &GOOD.replace("-00f067aa0ba902b7-", "-00f067aa0ba902b-7"),
            &format!("{}more", GOOD.replacen("00", "01", 1)),
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-\u{e9}",
        ];
        for text in wrong {
            assert!(parent(&[text]).is_none(), "{text}");
        }
        assert!(parent(&[]).is_none());
        assert!(parent(&[GOOD, GOOD]).is_none(), "repeated header");
    }
}
