//! Patience with a client that does not take what it is sent: its connection has a place that somebody else could use.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// A client that takes no byte for so long is given up.
const TAKES_WITHIN: Duration = Duration::from_secs(30);

/// Whether the last write had to wait, and until when it may.
#[derive(Default)]
pub(crate) struct Stall {
    until: Option<Pin<Box<Sleep>>>,
    waiting: bool,
}

impl Stall {
    /// The outcome of a write or a flush, unless the client has kept it waiting for too long.
    pub(crate) fn after<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = false;
            return written;
        }
        let until = self.until.get_or_insert_with(|| Box::pin(sleep(TAKES_WITHIN)));
        if !self.waiting {
            self.waiting = true;
            until.as_mut().reset(Instant::now() + TAKES_WITHIN);
        }
        match until.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}
