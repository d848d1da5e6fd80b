//! The answers of a streaming RPC as server-sent events or as lines of JSON. An error is
//! told in the stream, for its status is long gone.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Response};
use http_body::Frame;
use prost_reflect::{DynamicMessage, FieldDescriptor};
use tokio::time::{Instant, Interval, interval_at};
use tonic::body::Body;
use tonic::{Status, Streaming};

use super::{Form, Host, failure, message};

/// What a stream is made of.
pub(crate) struct Parts<H> {
    pub(crate) host: Arc<H>,
    pub(crate) form: Form,
    pub(crate) only: Option<FieldDescriptor>,
    pub(crate) first: Option<DynamicMessage>,
    pub(crate) rest: Streaming<DynamicMessage>,
    pub(crate) keep_alive: Duration,
}

/// A stream's answer.
pub(crate) fn response<H: Host>(parts: Parts<H>, headers: HeaderMap) -> Response<Body> {
    let media_type = HeaderValue::from_static(parts.form.media_type());
    let Parts { host, form, only, first, rest, keep_alive } = parts;
    let silence = interval_at(Instant::now() + keep_alive, keep_alive);
    let mut response = Response::new(Body::new(Lines { host, form, only, first, rest: Some(rest), silence }));
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    // Some proxies collect what they pass on unless they are told not to.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

struct Lines<H> {
    host: Arc<H>,
    form: Form,
    only: Option<FieldDescriptor>,
    first: Option<DynamicMessage>,
    /// None once it has ended.
    rest: Option<Streaming<DynamicMessage>>,
    silence: Interval,
}

impl<H: Host> Lines<H> {
    fn line(&mut self, next: Result<DynamicMessage, Status>) -> Bytes {
        self.silence.reset();
        let written = next.and_then(|frame| {
            let id = self.host.frame_id(&frame);
            Ok((id, message::text(&frame, self.only.as_ref())?))
        });
        let text = match (written, self.form) {
            (Ok((id, data)), Form::Sse) => {
                format!("{}data: {data}\n\n", id.map_or_else(String::new, id_line))
            }
            (Ok((_, data)), Form::Ndjson | Form::Json) => data + "\n",
            (Err(status), form) => {
                self.rest = None;
                let data = failure::text(&*self.host, &status);
                let retry = failure::retry_delay(&status).map_or_else(String::new, retry_line);
                if form == Form::Sse { format!("{retry}event: error\ndata: {data}\n\n") } else { data + "\n" }
            }
        };
        text.into()
    }
}

/// When the client is to connect again, which EventSource then does by itself.
fn retry_line(wait: Duration) -> String {
    format!("retry: {}\n", wait.as_millis())
}

fn id_line(id: String) -> String {
    // A line break would begin a field of the client's choice.
    if id.contains(['\n', '\r', '\0']) { String::new() } else { format!("id: {id}\n") }
}

impl<H: Host> http_body::Body for Lines<H> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(self.line(Ok(first))))));
        }
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        match Pin::new(rest).poll_next(context) {
            Poll::Ready(Some(next)) => Poll::Ready(Some(Ok(Frame::data(self.line(next))))),
            Poll::Ready(None) => {
                self.rest = None;
                Poll::Ready(None)
            }
            // Lines of JSON have no comments.
            Poll::Pending if self.form == Form::Sse && self.silence.poll_tick(context).is_ready() => {
                Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b": keep-alive\n\n")))))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}
