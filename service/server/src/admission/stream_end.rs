//! Ends streams at shutdown that would otherwise outlast it, such as health watches.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body::{Frame, SizeHint};
use play::Refusal;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tonic::body::Body;

use super::caller_streams::CallerStreamPermit;
use crate::protocol;

/// A response body that ends with `SHUTTING_DOWN` trailers when the service stops.
pub(super) struct EndAtShutdown {
    body: Body,
    /// Counts the stream for its caller.
    _permit: CallerStreamPermit,
    stopping: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl EndAtShutdown {
    /// Wraps a body. It ends once `stopping` is cancelled and the inner body has no frame ready.
    pub(super) fn wrap(body: Body, permit: CallerStreamPermit, stopping: CancellationToken) -> Body {
        Body::new(Self { body, _permit: permit, stopping: Some(Box::pin(stopping.cancelled_owned())) })
    }
}

impl http_body::Body for EndAtShutdown {
    type Data = <Body as http_body::Body>::Data;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let Some(stopping) = &mut self.stopping else { return Poll::Ready(None) };
        let stopped = stopping.as_mut().poll(context);
        // Polls the body first: health sends its watchers NOT_SERVING at the same moment.
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame);
        }
        ready!(stopped);
        self.stopping = None;
        let refusal = Refusal::stopping("the service is shutting down; reconnect");
        let trailers = protocol::to_status(&refusal).into_http::<()>().into_parts().0.headers;
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.stopping.is_none() || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
