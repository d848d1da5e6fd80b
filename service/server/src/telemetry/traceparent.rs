//! Where a call comes from, as W3C's `traceparent` says it. Its companions `tracestate` and `baggage` are not read: they
//! are other people's words, and would leave with our spans.

use http::{HeaderMap, HeaderValue};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const HEADER: &str = "traceparent";

/// The length of version 0; later versions begin with the same fields.
const LENGTH: usize = 55;

/// Makes a span that is not yet entered a child of the caller's, unless it has a parent in this process or the caller
/// names none. What is malformed counts as absent.
pub(crate) fn adopt(span: &Span, headers: &HeaderMap) {
    let Some(caller) = caller(headers) else { return };
    if Context::map_current(Context::has_active_span) {
        return;
    }
    // Where no spans are sent there is no parent to be set.
    let _ = span.set_parent(Context::new().with_remote_span_context(caller));
}

fn caller(headers: &HeaderMap) -> Option<SpanContext> {
    let mut values = headers.get_all(HEADER).iter();
    let value = values.next()?;
    // Two of them contradict each other.
    values.next().is_none().then(|| read(value))?
}

fn read(value: &HeaderValue) -> Option<SpanContext> {
    let text = value.to_str().ok()?;
    let (known, later) = text.split_at_checked(LENGTH)?;
    let mut fields = known.split('-');
    let version = u8::try_from(digits(fields.next()?, 2)?).ok()?;
    let trace_id = digits(fields.next()?, 32)?;
    let span_id = u64::try_from(digits(fields.next()?, 16)?).ok()?;
    let flags = u8::try_from(digits(fields.next()?, 2)?).ok()?;
    let ends_well = if version == 0 { later.is_empty() } else { later.is_empty() || later.starts_with('-') };
    if version == u8::MAX || !ends_well || fields.next().is_some() {
        return None;
    }
    let flags = TraceFlags::new(flags) & TraceFlags::SAMPLED;
    let caller =
        SpanContext::new(TraceId::from(trace_id), SpanId::from(span_id), flags, true, TraceState::default());
    caller.is_valid().then_some(caller)
}

/// A number of exactly so many lowercase hexadecimal digits.
fn digits(text: &str, count: usize) -> Option<u128> {
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

    fn of(values: &[&str]) -> Option<SpanContext> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        caller(&headers)
    }

    #[test]
    fn a_caller_is_read() {
        let caller = of(&[GOOD]).unwrap();
        assert_eq!(caller.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(caller.span_id().to_string(), "00f067aa0ba902b7");
        assert!(caller.is_sampled() && caller.is_remote());
        assert!(!of(&[&GOOD.replace("-01", "-00")]).unwrap().is_sampled());
        // A later version may say more.
        assert!(of(&[&GOOD.replacen("00", "01", 1)]).is_some());
        assert!(of(&[&format!("{}-more", GOOD.replacen("00", "cc", 1))]).is_some());
        assert!(of(&[&GOOD.replace("-01", "-ff")]).unwrap().is_sampled());
    }

    #[test]
    fn what_is_malformed_is_nobody() {
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
            assert!(of(&[text]).is_none(), "{text}");
        }
        assert!(of(&[]).is_none());
        assert!(of(&[GOOD, GOOD]).is_none(), "two of them");
    }
}
