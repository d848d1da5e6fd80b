//! The id of a call, in its response and in its log lines: what a caller quotes to the operator.

use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue, Request};
use opentelemetry::trace::TraceId;

use super::traces::traceparent;

/// The response header, and metadata, that carries the id.
pub(crate) const CALL_ID_HEADER: HeaderName = HeaderName::from_static("matchbook-call-id");

/// The id of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallId {
    /// The trace of the caller, from a valid `traceparent`. Calls of one trace share it.
    Trace(TraceId),
    /// A random number for the process, and the call's 1-based index in it.
    Own {
        /// The process.
        process: u32,
        /// The call.
        index: u64,
    },
}

impl CallId {
    /// Returns the id of a request: the one that an outer layer gave it, otherwise a new one.
    pub(crate) fn of<B>(request: &Request<B>) -> Self {
        let given = request.extensions().get().copied();
        given.unwrap_or_else(|| traceparent::trace_id(request.headers()).map_or_else(Self::next, Self::Trace))
    }

    /// Adds the id to a response, unless an inner layer has added it.
    pub(crate) fn add_to(self, headers: &mut HeaderMap) {
        let mut value =
            HeaderValue::try_from(self.to_string()).expect("hexadecimal digits are a header value");
        // Not a secret, but it never repeats: in HTTP/2's table of headers it would displace those that do.
        value.set_sensitive(true);
        headers.entry(CALL_ID_HEADER).or_insert(value);
    }

    /// Returns a new id.
    pub(super) fn next() -> Self {
        static PROCESS: LazyLock<u32> = LazyLock::new(rand::random);
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self::Own { process: *PROCESS, index: NEXT.fetch_add(1, Ordering::Relaxed) }
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trace(trace) => write!(f, "{trace}"),
            Self::Own { process, index } => write!(f, "{process:08x}-{index:x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_trace_names_the_call() {
        let request = |traceparent: &str| {
            CallId::of(&Request::builder().header("traceparent", traceparent).body(()).unwrap())
        };
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(request(&format!("00-{trace}-00f067aa0ba902b7-01")).to_string(), trace);
        let [first, second] = [(); 2].map(|()| request("not a trace"));
        assert!(matches!(first, CallId::Own { .. }) && first != second);
    }

    #[test]
    fn an_id_is_given_once() {
        let (outer, inner) = (CallId::Own { process: 1, index: 2 }, CallId::Own { process: 1, index: 3 });
        let mut request = Request::new(());
        request.extensions_mut().insert(outer);
        assert_eq!(CallId::of(&request), outer);
        let mut headers = HeaderMap::new();
        inner.add_to(&mut headers);
        outer.add_to(&mut headers);
        assert_eq!(headers[CALL_ID_HEADER], "00000001-3");
        assert_eq!(headers.len(), 1);
    }
}
