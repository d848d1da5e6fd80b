//! The requests of a stream: lines of JSON in the body of an HTTP request, each one message. Reads them as
//! they arrive, whatever the time between them.

use std::error::Error;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use http_body::Body as _;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use tonic::Status;
use tonic::body::Body;

use super::{Adapter, Rejection};
use crate::request::message_of_body;

/// The messages of a body. Ends at the end of the body, and at the first line that is not a message.
pub(crate) struct RequestLines<A> {
    adapter: Arc<A>,
    message: MessageDescriptor,
    /// `None` after the end of the stream.
    body: Option<Body>,
    /// What has arrived of the lines that are not read.
    buffer: BytesMut,
    /// How much of the buffer is known to have no line break.
    scanned: usize,
    max_line_bytes: usize,
    /// Number of lines that were read.
    lines: u64,
    failure: LineFailure,
}

/// Why the lines of a body ended early. The call ends normally then; its response reports the failure.
#[derive(Clone, Default)]
pub(crate) struct LineFailure(Arc<Mutex<Option<Status>>>);

impl LineFailure {
    /// Returns the failure, once.
    pub(crate) fn take(&self) -> Option<Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, status: Status) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
    }
}

impl<A: Adapter> RequestLines<A> {
    /// Reads messages of this type from a body, with lines of at most `max_line_bytes`.
    pub(crate) fn new(
        adapter: Arc<A>,
        message: MessageDescriptor,
        body: Body,
        max_line_bytes: usize,
        failure: LineFailure,
    ) -> Self {
        let (body, buffer) = (Some(body), BytesMut::new());
        Self { adapter, message, body, buffer, scanned: 0, max_line_bytes, lines: 0, failure }
    }

    /// Takes the next line from the buffer; at the end of the body, what is left is a line too.
    fn next_line(&mut self, at_end: bool) -> Option<Bytes> {
        let new = &self.buffer[self.scanned..];
        let line = match new.iter().position(|byte| *byte == b'\n') {
            Some(end) => self.buffer.split_to(self.scanned + end + 1),
            None if at_end && !self.buffer.is_empty() => self.buffer.split(),
            None => {
                self.scanned = self.buffer.len();
                return None;
            }
        };
        (self.scanned, self.lines) = (0, self.lines + 1);
        Some(line.freeze())
    }

    /// Returns the next message in the buffer. Blank lines are none.
    fn next_message(&mut self, at_end: bool) -> Option<Result<DynamicMessage, Rejection>> {
        let limit = self.max_line_bytes;
        while let Some(line) = self.next_line(at_end) {
            if line.len() > limit {
                return Some(Err(Rejection::BodyTooLarge { limit }));
            }
            let text = line.trim_ascii();
            if !text.is_empty() {
                let number = self.lines;
                let message = message_of_body(&self.message, text);
                return Some(message.map_err(|error| Rejection::BadLine { number, error }));
            }
        }
        (self.buffer.len() > limit).then_some(Err(Rejection::BodyTooLarge { limit }))
    }

    /// Ends the stream because of a failure.
    fn fail(&mut self, status: Status) -> Poll<Option<DynamicMessage>> {
        self.failure.set(status);
        self.body = None;
        self.buffer = BytesMut::new();
        Poll::Ready(None)
    }

    fn reject(&mut self, rejection: &Rejection) -> Poll<Option<DynamicMessage>> {
        self.fail(self.adapter.status(rejection))
    }

    /// Ends the stream because the body could not be read. A layer in front may have refused it with a
    /// status, which has details.
    fn unread(&mut self, error: Box<dyn Error + Send + Sync>) -> Poll<Option<DynamicMessage>> {
        match error.downcast::<Status>() {
            Ok(status) if !status.details().is_empty() => self.fail(*status),
            _ => self.reject(&Rejection::BodyUnreadable),
        }
    }
}

impl<A: Adapter> Stream for RequestLines<A> {
    type Item = DynamicMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<DynamicMessage>> {
        loop {
            let at_end = self.body.is_none();
            match self.next_message(at_end) {
                Some(Ok(message)) => return Poll::Ready(Some(message)),
                Some(Err(rejection)) => return self.reject(&rejection),
                None => {}
            }
            let Some(body) = &mut self.body else { return Poll::Ready(None) };
            match ready!(Pin::new(body).poll_frame(context)) {
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.buffer.extend_from_slice(&data);
                    }
                }
                Some(Err(error)) => return self.unread(error.into()),
                None => self.body = None,
            }
        }
    }
}
