//! Ends streams that have no end of their own, such as health watches: when the service stops, and when a
//! further message of their caller is refused.

use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Frame, SizeHint};
use play::Refusal;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;

use super::caller_streams::CallerStreamPermit;
use crate::protocol;

/// A response body that ends with the trailers of a refusal.
pub(super) struct StreamEnd {
    body: Body,
    /// Counts the stream for its caller.
    _permit: CallerStreamPermit,
    /// `None` after the end.
    ending: Option<Ending>,
}

/// Why a stream ends before its body does.
struct Ending {
    stopping: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// `None` once no message can be refused any more.
    refused: Option<oneshot::Receiver<Refusal>>,
}

impl StreamEnd {
    /// Wraps a body. It ends with the refusal of a message, and once `stopping` is cancelled and the inner
    /// body has no frame ready.
    pub(super) fn wrap(
        body: Body,
        permit: CallerStreamPermit,
        refused: oneshot::Receiver<Refusal>,
        stopping: CancellationToken,
    ) -> Body {
        let ending = Ending { stopping: Box::pin(stopping.cancelled_owned()), refused: Some(refused) };
        Body::new(Self { body, _permit: permit, ending: Some(ending) })
    }
}

impl Ending {
    /// Returns the refusal of a message, if one was refused.
    fn poll_refused(&mut self, context: &mut Context<'_>) -> Option<Refusal> {
        match Pin::new(self.refused.as_mut()?).poll(context) {
            Poll::Pending => None,
            Poll::Ready(refused) => {
                self.refused = None;
                refused.ok()
            }
        }
    }
}

impl http_body::Body for StreamEnd {
    type Data = <Body as http_body::Body>::Data;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let this = &mut *self;
        let Some(ending) = &mut this.ending else { return Poll::Ready(None) };
        let stopped = ending.stopping.as_mut().poll(context);
        let refusal = match ending.poll_refused(context) {
            Some(refusal) => refusal,
            // Polls the body first: health sends its watchers NOT_SERVING at the same moment.
            None => match Pin::new(&mut this.body).poll_frame(context) {
                Poll::Ready(frame) => return Poll::Ready(frame),
                Poll::Pending if stopped.is_ready() => {
                    Refusal::stopping("the service is shutting down; reconnect")
                }
                Poll::Pending => return Poll::Pending,
            },
        };
        this.ending = None;
        let trailers = protocol::to_status(&refusal).into_http::<()>().into_parts().0.headers;
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.ending.is_none() || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
