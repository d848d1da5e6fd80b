//! The log of calls: one span and one line per call, with names and numbers only. Never bodies, tokens,
//! `request_id`s, or a refusal's message, which may repeat a secret move.

use std::sync::Arc;
use std::time::Instant;

use http::{Request, Response};
use play::Refusal;
use tonic::body::Body;
use tonic::{Code, Status};
use tracing::{Level, Span, field};
use transcode::code_name;

use super::call_id::CallId;
use super::metrics::CallMetrics;
use super::traces::{self, CALL_SPAN, traceparent};
use crate::protocol::{MethodIndex, RpcMethod, error_mapping, reason_of, to_status};

/// A call in progress. If it is dropped before it is finished, the caller disconnected.
pub(crate) struct CallLog {
    id: CallId,
    span: Span,
    start: Instant,
    progress: Progress,
    method: MethodIndex,
    metrics: Arc<CallMetrics>,
}

enum Progress {
    Running,
    Finished,
}

impl CallLog {
    /// Opens the call's span, as a child of the caller's span if the headers name one.
    pub(crate) fn start(
        &RpcMethod { ref name, index, .. }: &RpcMethod,
        request: &Request<Body>,
        metrics: Arc<CallMetrics>,
    ) -> Self {
        let id = CallId::of(request);
        let method = &**name;
        // At the highest level, so that errors have their context under every filter.
        let span = tracing::error_span!(
            CALL_SPAN,
            method,
            call.id = %id,
            match.id = field::Empty,
            match.seq = field::Empty
        );
        traceparent::adopt_parent(&span, request.headers());
        Self { id, span, start: Instant::now(), progress: Progress::Running, method: index, metrics }
    }

    /// Opens the span of a message that makes a call of its own, within that of its stream.
    pub(crate) fn start_message(
        &RpcMethod { ref name, index, .. }: &RpcMethod,
        metrics: Arc<CallMetrics>,
    ) -> Self {
        let (id, method) = (CallId::next(), &**name);
        let span = tracing::error_span!(
            CALL_SPAN,
            method,
            call.id = %id,
            match.id = field::Empty,
            match.seq = field::Empty
        );
        Self { id, span, start: Instant::now(), progress: Progress::Running, method: index, metrics }
    }

    /// Returns the call's span.
    pub(crate) fn span(&self) -> &Span {
        &self.span
    }

    /// Counts and logs the call, and adds its id to the response.
    pub(crate) fn finish(&mut self, mut response: Response<Body>) -> Response<Body> {
        self.id.add_to(response.headers_mut());
        match response.extensions().get::<Status>() {
            None => self.succeed(code_of(&response)),
            Some(status) => self.fail(status),
        }
        response
    }

    /// Counts and logs the call of a message.
    pub(crate) fn finish_message(mut self, refusal: Option<&Refusal>) {
        match refusal {
            None => self.succeed(Code::Ok),
            Some(refusal) => self.fail(&to_status(refusal)),
        }
    }

    fn succeed(&mut self, code: Code) {
        self.progress = Progress::Finished;
        self.metrics.record(self.method, code, self.start.elapsed());
        traces::record_end(&self.span, code, None);
        tracing::debug!(code = code_name(code), duration_ms = self.duration_ms(), "responded");
    }

    fn fail(&mut self, status: &Status) {
        self.progress = Progress::Finished;
        self.metrics.record(self.method, status.code(), self.start.elapsed());
        log_refusal(&self.span, status, self.duration_ms(), &self.metrics);
    }

    fn duration_ms(&self) -> f64 {
        duration_ms(self.start)
    }
}

impl Drop for CallLog {
    fn drop(&mut self) {
        if let Progress::Running = self.progress {
            self.metrics.record(self.method, Code::Cancelled, self.start.elapsed());
            traces::record_end(&self.span, Code::Cancelled, None);
            tracing::debug!(duration_ms = self.duration_ms(), "caller disconnected before the response");
        }
    }
}

/// Returns the code of a response without a status of ours: the gRPC library reports an unknown method in a
/// header only.
fn code_of(response: &Response<Body>) -> Code {
    response.headers().get(Status::GRPC_STATUS).map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
}

/// Returns the milliseconds since `start`, with microsecond resolution.
pub(crate) fn duration_ms(start: Instant) -> f64 {
    (start.elapsed().as_secs_f64() * 1e6).round() / 1e3
}

/// Counts a refusal and logs it at the level of the refusal table.
pub(crate) fn log_refusal(span: &Span, status: &Status, duration_ms: f64, metrics: &CallMetrics) {
    let code = code_name(status.code());
    let Some(reason) = reason_of(status) else {
        traces::record_end(span, status.code(), None);
        // Refused by the gRPC library: an unknown method, or a body that does not decode.
        tracing::debug!(code, duration_ms, "rejected before decoding");
        return;
    };
    metrics.record_refusal(reason);
    let name = play::reason_name(reason);
    traces::record_end(span, status.code(), Some(name));
    match error_mapping(reason).level {
        Level::ERROR => tracing::error!(code, reason = name, duration_ms, "failed"),
        Level::WARN => tracing::warn!(code, reason = name, duration_ms, "not completed"),
        Level::INFO => tracing::info!(code, reason = name, duration_ms, "refused"),
        _ => tracing::debug!(code, reason = name, duration_ms, "refused"),
    }
}
