//! The deadline for a client's first bytes, so that silent clients don't hold connection permits.

use std::io;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// Time limit for the TLS handshake and the preface together.
pub(super) const PREFACE_TIMEOUT: Duration = Duration::from_secs(10);

/// The first bytes of HTTP/2 (RFC 9113, 3.4).
const HTTP2_PREFACE: &[u8; PREFACE_BYTES] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The length of HTTP/2's connection preface, in bytes; no HTTP/1.1 request is shorter.
pub(super) const PREFACE_BYTES: usize = 24;

/// How much of the preface has arrived.
pub(super) enum Preface {
    /// `missing` more bytes must arrive before the deadline. Those that have arrived may be those of HTTP/2.
    Awaited { missing: usize, may_be_http2: bool, deadline: Pin<Box<Sleep>> },
    /// From here on, HTTP/2's keepalive or HTTP/1's header timeout watches the client.
    Received { is_http2: bool },
}

impl Preface {
    /// Starts the deadline.
    pub(super) fn awaited() -> Self {
        let deadline = Box::pin(sleep(PREFACE_TIMEOUT));
        Self::Awaited { missing: PREFACE_BYTES, may_be_http2: true, deadline }
    }

    /// Returns whether the client has begun to speak HTTP/2.
    pub(super) fn is_http2(&self) -> bool {
        matches!(self, Self::Received { is_http2: true })
    }

    /// Takes note of the bytes of a read, or fails if the read is pending past the deadline (`None`).
    pub(super) fn after_read(&mut self, read: Option<&[u8]>, context: &mut Context<'_>) -> io::Result<()> {
        let Self::Awaited { missing, may_be_http2, deadline } = self else { return Ok(()) };
        match read {
            Some(bytes) => {
                let first = &bytes[..bytes.len().min(*missing)];
                *may_be_http2 &= HTTP2_PREFACE[PREFACE_BYTES - *missing..].starts_with(first);
                *missing -= first.len();
                if *missing == 0 {
                    *self = Self::Received { is_http2: *may_be_http2 };
                }
            }
            None if deadline.as_mut().poll(context).is_ready() => return Err(io::ErrorKind::TimedOut.into()),
            None => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    /// Returns whether a client that sends these bytes, this many at a time, speaks HTTP/2.
    fn is_http2(bytes: &[u8], at_a_time: usize) -> bool {
        let mut preface = Preface::awaited();
        for part in bytes.chunks(at_a_time) {
            assert!(!preface.is_http2() || bytes.len() > PREFACE_BYTES);
            preface.after_read(Some(part), &mut Context::from_waker(Waker::noop())).unwrap();
        }
        preface.is_http2()
    }

    #[tokio::test]
    async fn http2_is_known_by_its_first_bytes() {
        let more = [HTTP2_PREFACE.as_slice(), b"frames"].concat();
        let post = b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n";
        for at_a_time in [1, 5, 24, 100] {
            assert!(is_http2(HTTP2_PREFACE, at_a_time) && is_http2(&more, at_a_time));
            assert!(!is_http2(post, at_a_time) && !is_http2(&HTTP2_PREFACE[..23], at_a_time));
        }
    }
}
