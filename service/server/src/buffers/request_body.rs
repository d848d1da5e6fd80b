//! A request's body whose bytes count as they arrive.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::budget::refusal;
use super::received_bytes::ReceivedBytes;
use crate::protocol;

/// A request's body. Reading it fails when its bytes exceed the client's budget.
pub(super) struct RequestBody {
    body: Body,
    received: ReceivedBytes,
}

impl RequestBody {
    /// Wraps a body; its bytes count until the last clone of `received` is dropped.
    pub(super) fn wrap(body: Body, received: ReceivedBytes) -> Body {
        if body.is_end_stream() { body } else { Body::new(Self { body, received }) }
    }
}

impl http_body::Body for RequestBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
            && let Err(exhausted) = self.received.grow(data.len())
        {
            return Poll::Ready(Some(Err(protocol::to_status(&refusal(exhausted)))));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
