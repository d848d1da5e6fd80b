//! A stream that reopens itself where it broke. What a frame means is the subscription's.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::Stream;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use tokio::time::Sleep;
use tonic::Status;

use crate::client::Client;
use crate::error::Error;
use crate::retry::Backoff;

pub(crate) type Frames<F> = BoxStream<'static, Result<F, Status>>;
pub(crate) type OpeningStream<F> = BoxFuture<'static, Result<Frames<F>, Status>>;

/// What is read, and how far the reader has come.
pub(crate) trait Subscription: Unpin {
    /// A message of the stream.
    type Frame;

    /// Opens a stream behind the last frame received.
    fn open(&self, client: &Client) -> OpeningStream<Self::Frame>;

    /// Records a frame as received and returns whether the reader has yet to see it.
    fn receive(&mut self, frame: &Self::Frame) -> Seen;

    /// Returns whether a frame proves that the stream works, so that failures are counted from zero again.
    fn is_progress(frame: &Self::Frame) -> bool;

    /// Returns whether nothing follows the last frame received.
    fn is_complete(&self) -> bool;
}

/// Whether the reader has seen a frame before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It is new.
    New,
    /// An earlier stream delivered it.
    Before,
}

/// A subscription over as many streams as it takes.
pub(crate) struct Resuming<S: Subscription> {
    client: Client,
    pub(crate) subscription: S,
    phase: Phase<S::Frame>,
    backoff: Backoff,
}

enum Phase<F> {
    Closed,
    Opening(OpeningStream<F>),
    Open(Frames<F>),
    Waiting(Pin<Box<Sleep>>),
    Ended,
}

impl<S: Subscription> Resuming<S> {
    pub(crate) fn new(client: &Client, subscription: S) -> Self {
        let backoff = Backoff::new(client.retry_policy());
        Self { client: client.clone(), subscription, phase: Phase::Closed, backoff }
    }

    /// Records a frame; returns it if the reader has yet to see it.
    fn received(&mut self, frame: S::Frame) -> Option<S::Frame> {
        if S::is_progress(&frame) {
            self.backoff.reset();
        }
        let seen = self.subscription.receive(&frame);
        if self.subscription.is_complete() {
            self.phase = Phase::Ended;
        }
        (seen == Seen::New).then_some(frame)
    }

    /// Prepares the next attempt; returns the error if none is left.
    fn interrupted(&mut self, status: &Status) -> Result<(), Error> {
        let error = self.client.error(status);
        let delay = if error.is_transient() { self.backoff.after_failure(error.retry_after()) } else { None };
        match delay {
            Some(delay) => {
                self.phase = Phase::Waiting(Box::pin(tokio::time::sleep(delay)));
                Ok(())
            }
            None => {
                self.phase = Phase::Ended;
                Err(error)
            }
        }
    }
}

impl<S: Subscription> Stream for Resuming<S> {
    type Item = Result<S::Frame, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            let status = match &mut this.phase {
                Phase::Ended => return Poll::Ready(None),
                Phase::Closed => {
                    this.phase = Phase::Opening(this.subscription.open(&this.client));
                    continue;
                }
                Phase::Waiting(sleep) => {
                    ready!(sleep.as_mut().poll(cx));
                    this.phase = Phase::Closed;
                    continue;
                }
                Phase::Opening(opening) => match ready!(opening.as_mut().poll(cx)) {
                    Ok(frames) => {
                        this.phase = Phase::Open(frames);
                        continue;
                    }
                    Err(status) => status,
                },
                Phase::Open(frames) => match ready!(frames.as_mut().poll_next(cx)) {
                    Some(Ok(frame)) => match this.received(frame) {
                        Some(frame) => return Poll::Ready(Some(Ok(frame))),
                        None => continue,
                    },
                    Some(Err(status)) => status,
                    None => Status::unavailable("the service closed the stream"),
                },
            };
            if let Err(error) = this.interrupted(&status) {
                return Poll::Ready(Some(Err(error)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use futures_util::{StreamExt as _, stream};

    use super::*;
    use crate::retry::RetryPolicy;

    /// What opening a stream brings: its frames, or a failure.
    type Opened = Result<Vec<Result<u32, Status>>, Status>;

    /// Streams of numbers, in the order in which they are opened; complete with the number 9.
    struct Script {
        streams: Mutex<Vec<Opened>>,
        last: u32,
    }

    impl Subscription for Script {
        type Frame = u32;

        fn open(&self, _: &Client) -> OpeningStream<u32> {
            let mut streams = self.streams.lock().expect("no holder panics");
            let next = if streams.is_empty() { Err(Status::unavailable("down")) } else { streams.remove(0) };
            Box::pin(async move { Ok(stream::iter(next?).boxed()) })
        }

        fn receive(&mut self, frame: &u32) -> Seen {
            let is_new = *frame > self.last;
            self.last = self.last.max(*frame);
            if is_new { Seen::New } else { Seen::Before }
        }

        fn is_progress(_: &u32) -> bool {
            true
        }

        fn is_complete(&self) -> bool {
            self.last == 9
        }
    }

    fn lost() -> Status {
        Status::unavailable("lost")
    }

    /// Reads to the end with up to 3 attempts: the frames, and the errors.
    async fn read(streams: Vec<Opened>) -> (Vec<u32>, Vec<Error>) {
        let quick = RetryPolicy::default().attempts(3).initial_delay(Duration::from_millis(1));
        let client = Client::builder("http://127.0.0.1:1").retry(quick).connect_lazy().unwrap();
        let resuming = Resuming::new(&client, Script { streams: Mutex::new(streams), last: 0 });
        let items: Vec<_> = resuming.collect().await;
        let (frames, errors): (Vec<_>, Vec<_>) = items.into_iter().partition(Result::is_ok);
        (frames.into_iter().flatten().collect(), errors.into_iter().filter_map(Result::err).collect())
    }

    #[tokio::test]
    async fn a_broken_stream_resumes_without_gap_or_double() {
        let streams = vec![
            Ok(vec![Ok(1), Ok(2), Err(lost())]),
            Err(lost()),
            Ok(vec![Ok(2), Ok(3)]),
            Ok(vec![Ok(9), Ok(9)]),
        ];
        let (frames, errors) = read(streams).await;
        assert_eq!(frames, [1, 2, 3, 9]);
        assert!(errors.is_empty(), "{errors:?}");
    }

    #[tokio::test]
    async fn a_refusal_ends_the_stream_at_once() {
        let (frames, errors) =
            read(vec![Ok(vec![Ok(1), Err(Status::permission_denied("no"))]), Ok(vec![Ok(2)])]).await;
        assert_eq!(frames, [1]);
        assert!(matches!(errors[..], [Error::Refused(_)]), "{errors:?}");
    }

    #[tokio::test]
    async fn a_service_that_stays_away_ends_the_stream() {
        let (frames, errors) = read(vec![Ok(vec![Ok(1)])]).await;
        assert_eq!(frames, [1]);
        assert!(matches!(errors[..], [Error::Unreachable { .. }]), "{errors:?}");
    }
}
