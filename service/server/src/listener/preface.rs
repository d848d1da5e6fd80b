//! The deadline for a client's first bytes, so that silent clients don't hold connection permits.

use std::io;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// Time limit for the TLS handshake and the preface together.
pub(super) const PREFACE_TIMEOUT: Duration = Duration::from_secs(10);

/// The length of HTTP/2's connection preface, in bytes; no HTTP/1.1 request is shorter.
pub(super) const PREFACE_BYTES: usize = 24;

/// How much of the preface has arrived.
pub(super) enum Preface {
    /// `missing` more bytes must arrive before the deadline.
    Awaited { missing: usize, deadline: Pin<Box<Sleep>> },
    /// From here on, HTTP/2's keepalive or HTTP/1's header timeout watches the client.
    Received,
}

impl Preface {
    /// Starts the deadline.
    pub(super) fn awaited() -> Self {
        Self::Awaited { missing: PREFACE_BYTES, deadline: Box::pin(sleep(PREFACE_TIMEOUT)) }
    }

    /// Counts the bytes of a read, or fails if the read is pending past the deadline (`None`).
    pub(super) fn after_read(&mut self, read: Option<usize>, context: &mut Context<'_>) -> io::Result<()> {
        let Self::Awaited { missing, deadline } = self else { return Ok(()) };
        match read {
            Some(bytes) if bytes >= *missing => *self = Self::Received,
            Some(bytes) => *missing -= bytes,
            None if deadline.as_mut().poll(context).is_ready() => return Err(io::ErrorKind::TimedOut.into()),
            None => {}
        }
        Ok(())
    }
}
