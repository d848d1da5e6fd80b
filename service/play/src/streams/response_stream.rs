//! A stream of responses that is produced on demand and holds its permit until it ends.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, stream};

use super::StreamPermit;
use crate::Refusal;

/// The responses of one streaming call.
pub struct ResponseStream<T>(Pin<Box<dyn Stream<Item = Result<T, Refusal>> + Send>>);

/// Produces a stream's responses one by one.
pub(crate) trait Produce: Send + 'static {
    /// A response of the stream.
    type Response;

    /// Waits for the next response; returns `None` at the end of the stream.
    fn next(&mut self) -> impl Future<Output = Option<Result<Self::Response, Refusal>>> + Send;
}

impl<T> ResponseStream<T> {
    pub(crate) fn new(producer: impl Produce<Response = T>, permit: StreamPermit) -> Self {
        let responses = stream::unfold((producer, permit), |(mut producer, permit)| async move {
            producer.next().await.map(|response| (response, (producer, permit)))
        });
        Self(Box::pin(responses))
    }
}

impl<T> Stream for ResponseStream<T> {
    type Item = Result<T, Refusal>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}
