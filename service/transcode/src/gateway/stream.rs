//! Responses of a streaming RPC as server-sent events or lines of JSON. An error becomes part of the stream,
//! since the HTTP status has been sent by then.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Response};
use http_body::Frame;
use prost_reflect::{DynamicMessage, FieldDescriptor, MessageDescriptor};
use tokio::time::{Instant, Interval, interval_at};
use tonic::body::Body;
use tonic::{Status, Streaming};

use super::request_lines::LineFailure;
use super::{Adapter, FieldNames, ResponseFormat, error_response, field_names, message};

/// The parts of a streaming response.
pub(crate) struct Parts<A> {
    pub(crate) adapter: Arc<A>,
    pub(crate) format: ResponseFormat,
    pub(crate) only: Option<FieldDescriptor>,
    pub(crate) request: MessageDescriptor,
    pub(crate) first: Option<DynamicMessage>,
    pub(crate) rest: Streaming<DynamicMessage>,
    pub(crate) keep_alive: Duration,
    /// Why the requests of the stream ended early, if they do.
    pub(crate) failure: LineFailure,
}

/// Returns the streaming response.
pub(crate) fn response<A: Adapter>(parts: Parts<A>, headers: HeaderMap) -> Response<Body> {
    let media_type = HeaderValue::from_static(parts.format.media_type());
    let Parts { adapter, format, only, request, first, rest, keep_alive, failure } = parts;
    let keep_alive = interval_at(Instant::now() + keep_alive, keep_alive);
    let frames = Frames { adapter, format, only, request, first, rest: Some(rest), keep_alive, failure };
    let mut response = Response::new(Body::new(frames));
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    // Some proxies buffer responses unless they are told not to.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

struct Frames<A> {
    adapter: Arc<A>,
    format: ResponseFormat,
    only: Option<FieldDescriptor>,
    request: MessageDescriptor,
    first: Option<DynamicMessage>,
    /// `None` after the end of the stream.
    rest: Option<Streaming<DynamicMessage>>,
    keep_alive: Interval,
    failure: LineFailure,
}

impl<A: Adapter> Frames<A> {
    fn encode(&mut self, next: Result<DynamicMessage, Status>) -> Bytes {
        self.keep_alive.reset();
        let encoded = next.and_then(|mut frame| {
            self.adapter.name_fields(&mut frame, &FieldNames::of(&self.request));
            let id = self.adapter.frame_id(&frame);
            Ok((id, message::json(&frame, self.only.as_ref())?))
        });
        let text = match (encoded, self.format) {
            (Ok((id, data)), ResponseFormat::Sse) => {
                format!("{}data: {data}\n\n", id.map_or_else(String::new, id_line))
            }
            (Ok((_, data)), ResponseFormat::Ndjson | ResponseFormat::Json) => data + "\n",
            (Err(status), format) => {
                self.rest = None;
                let status = field_names::with_json_names(status, &self.request, &[]);
                let data = error_response::json(&*self.adapter, &status);
                let retry = error_response::retry_delay(&status).map_or_else(String::new, retry_line);
                if format == ResponseFormat::Sse {
                    format!("{retry}event: error\ndata: {data}\n\n")
                } else {
                    data + "\n"
                }
            }
        };
        text.into()
    }
}

/// Returns the field that tells an EventSource when to reconnect.
fn retry_line(wait: Duration) -> String {
    format!("retry: {}\n", wait.as_millis())
}

fn id_line(id: String) -> String {
    // A line break in the ID would inject another field.
    if id.contains(['\n', '\r', '\0']) { String::new() } else { format!("id: {id}\n") }
}

impl<A: Adapter> http_body::Body for Frames<A> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(self.encode(Ok(first))))));
        }
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        match Pin::new(rest).poll_next(context) {
            Poll::Ready(Some(next)) => Poll::Ready(Some(Ok(Frame::data(self.encode(next))))),
            Poll::Ready(None) => {
                self.rest = None;
                let failed = self.failure.take();
                Poll::Ready(failed.map(|status| Ok(Frame::data(self.encode(Err(status))))))
            }
            // Only server-sent events have comments.
            Poll::Pending
                if self.format == ResponseFormat::Sse && self.keep_alive.poll_tick(context).is_ready() =>
            {
                Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b": keep-alive\n\n")))))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}
