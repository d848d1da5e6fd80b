//! Counts the messages of a request that is a stream for its caller's rate limits: each is answered, so it
//! costs as much as a call.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use play::Refusal;
use tokio::sync::oneshot;
use tonic::Status;
use tonic::body::Body;

use crate::protocol;

/// Length of the prefix of a gRPC message: a flag, and the message's length.
const PREFIX_BYTES: usize = 5;

/// A request's body. Reading it fails at the first message that is refused.
pub(super) struct CountedMessages {
    body: Body,
    messages: Messages,
    count: Box<dyn FnMut() -> Result<(), Refusal> + Send>,
    /// Receives the refusal.
    refused: Option<oneshot::Sender<Refusal>>,
}

/// Where a body of gRPC messages stands.
#[derive(Default)]
struct Messages {
    /// What has arrived of a prefix.
    prefix: Vec<u8>,
    /// Bytes of the current message that are still to come.
    missing: usize,
    /// Whether there was a message.
    has_begun: bool,
}

impl CountedMessages {
    /// Wraps a body. Every message but the first, which is counted with its call, is passed to `count`; its
    /// first refusal goes to the receiver.
    pub(super) fn wrap(
        body: Body,
        count: impl FnMut() -> Result<(), Refusal> + Send + 'static,
    ) -> (Body, oneshot::Receiver<Refusal>) {
        let (refused, refusal) = oneshot::channel();
        let messages = Messages::default();
        (Body::new(Self { body, messages, count: Box::new(count), refused: Some(refused) }), refusal)
    }

    fn count(&mut self, data: &[u8]) -> Result<(), Status> {
        for _ in 0..self.messages.begun_in(data) {
            if let Err(refusal) = (self.count)() {
                let status = protocol::to_status(&refusal);
                if let Some(refused) = self.refused.take() {
                    // Nobody may wait for the response any more.
                    let _ = refused.send(refusal);
                }
                return Err(status);
            }
        }
        Ok(())
    }
}

impl Messages {
    /// Returns how many messages after the first one begin in data that has arrived.
    fn begun_in(&mut self, mut data: &[u8]) -> usize {
        let mut begun = 0;
        while !data.is_empty() {
            let (wanted, is_prefix) = match self.missing {
                0 => (PREFIX_BYTES - self.prefix.len(), true),
                missing => (missing, false),
            };
            let (taken, rest) = data.split_at(wanted.min(data.len()));
            data = rest;
            if !is_prefix {
                self.missing -= taken.len();
                continue;
            }
            self.prefix.extend_from_slice(taken);
            if let [_, l0, l1, l2, l3] = self.prefix[..] {
                let length = u32::from_be_bytes([l0, l1, l2, l3]);
                self.missing = usize::try_from(length).unwrap_or(usize::MAX);
                self.prefix.clear();
                begun += usize::from(self.has_begun);
                self.has_begun = true;
            }
        }
        begun
    }
}

impl http_body::Body for CountedMessages {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
            && let Err(status) = self.count(data)
        {
            return Poll::Ready(Some(Err(status)));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn message(length: u8) -> Vec<u8> {
        [vec![0, 0, 0, 0, length], vec![7; usize::from(length)]].concat()
    }

    #[test]
    fn messages_are_counted_however_they_are_cut() {
        let body: Vec<u8> = [3, 0, 0, 200, 1].into_iter().flat_map(message).collect();
        for size in [1, 2, 4, 5, 6, 7, 50, body.len()] {
            let mut messages = Messages::default();
            let begun: usize = body.chunks(size).map(|data| messages.begun_in(data)).sum();
            assert_eq!(begun, 4, "in pieces of {size}");
            assert_eq!(messages.begun_in(&message(9)), 1);
        }
    }
}
