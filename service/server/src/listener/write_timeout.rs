//! The write timeout: a client that stops reading loses its connection.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// Longest time without the client accepting a byte.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// The deadline of a pending write.
#[derive(Default)]
pub(super) struct WriteTimeout {
    deadline: Option<Pin<Box<Sleep>>>,
    pending: bool,
}

impl WriteTimeout {
    /// Returns the result of a write or flush, or `TimedOut` if writes have been pending for too long.
    pub(super) fn after<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.pending = false;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        if !self.pending {
            self.pending = true;
            deadline.as_mut().reset(Instant::now() + WRITE_TIMEOUT);
        }
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}
