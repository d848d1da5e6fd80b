//! The log of calls: one span and one line each, with names and numbers only. Never bodies, tokens, the callers' own
//! ids, or the text of a refusal, which may repeat a secret move.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use http::{HeaderMap, HeaderValue, Response};
use tonic::body::Body;
use tonic::{Code, Status};
use tracing::{Level, Span, field};
use transcode::code_name;

use crate::effect::{Method, MethodNumber};
use crate::metrics::Calls;
use crate::telemetry::{self, CALL, traceparent};
use crate::{errors, status};

/// A call that has come in and is not answered yet. If it is dropped so, its caller has gone away.
pub(crate) struct CallLog {
    id: RequestId,
    span: Span,
    began: Instant,
    progress: Progress,
    method: MethodNumber,
    calls: Arc<Calls>,
}

enum Progress {
    Open,
    Answered,
}

impl CallLog {
    /// Opens the span that everything about this call is logged in, a part of the caller's trace if these headers name
    /// one; it is counted among `calls` when it ends.
    pub(crate) fn begin(
        &Method { ref name, number, .. }: &Method,
        headers: &HeaderMap,
        calls: Arc<Calls>,
    ) -> Self {
        let id = RequestId::next();
        let method = &**name;
        // At the highest level, so that an error has its context whatever the filter lets through.
        let span = tracing::error_span!(
            CALL,
            method,
            request.id = %id,
            match.id = field::Empty,
            match.seq = field::Empty
        );
        traceparent::adopt(&span, headers);
        Self { id, span, began: Instant::now(), progress: Progress::Open, method: number, calls }
    }

    /// The call's span.
    pub(crate) fn span(&self) -> &Span {
        &self.span
    }

    /// Writes the call's line, and puts our id on an answer that somebody may have to ask about.
    pub(crate) fn end(&mut self, mut response: Response<Body>) -> Response<Body> {
        self.progress = Progress::Answered;
        let Some(status) = response.extensions().get::<Status>() else {
            let code = code_of(&response);
            self.calls.answered(self.method, code, self.began.elapsed());
            telemetry::ended(&self.span, code, None);
            tracing::debug!(code = code_name(code), duration_ms = self.duration_ms(), "answered");
            return response;
        };
        self.calls.answered(self.method, status.code(), self.began.elapsed());
        refused(&self.span, status, self.duration_ms(), &self.calls);
        if let Ok(id) = HeaderValue::try_from(self.id.to_string()) {
            response.headers_mut().insert("x-request-id", id);
        }
        response
    }

    fn duration_ms(&self) -> f64 {
        duration_ms(self.began)
    }
}

impl Drop for CallLog {
    fn drop(&mut self) {
        if let Progress::Open = self.progress {
            self.calls.answered(self.method, Code::Cancelled, self.began.elapsed());
            telemetry::ended(&self.span, Code::Cancelled, None);
            tracing::debug!(duration_ms = self.duration_ms(), "the caller went away before the answer");
        }
    }
}

/// The code of an answer without a status of ours: the gRPC library tells of an unknown method in a header alone.
fn code_of(response: &Response<Body>) -> Code {
    response.headers().get(Status::GRPC_STATUS).map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
}

/// Milliseconds since then, to the microsecond.
pub(crate) fn duration_ms(began: Instant) -> f64 {
    (began.elapsed().as_secs_f64() * 1e6).round() / 1e3
}

/// Counts the refusal of the call of this span, and logs it as loudly as the table of errors says.
pub(crate) fn refused(span: &Span, status: &Status, duration_ms: f64, calls: &Calls) {
    let code = code_name(status.code());
    let Some(reason) = status::reason(status) else {
        telemetry::ended(span, status.code(), None);
        // What the gRPC library refuses: unknown methods, bodies that don't decode.
        tracing::debug!(code, duration_ms, "refused before it was understood");
        return;
    };
    calls.refused(reason);
    let word = play::reason_word(reason);
    telemetry::ended(span, status.code(), Some(word.clone()));
    let reason_word = word.as_str();
    match errors::answer(reason).level {
        Level::ERROR => tracing::error!(code, reason = reason_word, duration_ms, "failed"),
        Level::WARN => tracing::warn!(code, reason = reason_word, duration_ms, "not done"),
        Level::INFO => tracing::info!(code, reason = reason_word, duration_ms, "refused"),
        _ => tracing::debug!(code, reason = reason_word, duration_ms, "refused"),
    }
}

/// Our own name for a call: which start of which process, and the how-manieth.
#[derive(Clone, Copy)]
struct RequestId {
    start: u32,
    number: u64,
}

impl RequestId {
    fn next() -> Self {
        static START: LazyLock<u32> = LazyLock::new(rand::random);
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        Self { start: *START, number: NUMBER.fetch_add(1, Ordering::Relaxed) }
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}-{:x}", self.start, self.number)
    }
}
