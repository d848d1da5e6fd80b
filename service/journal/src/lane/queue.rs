//! What waits for a lane: bounded in requests and in bytes, so that a slow database makes callers wait elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::request::Request;
use crate::{AppendError, Limits, QueueStats};

/// The end that callers push into.
#[derive(Clone, Debug)]
pub(crate) struct QueueSender {
    requests: mpsc::Sender<Request>,
    bytes: Arc<AtomicUsize>,
    most_bytes: usize,
}

/// The end that the lane takes from.
#[derive(Debug)]
pub(crate) struct QueueReceiver {
    requests: mpsc::Receiver<Request>,
    bytes: Arc<AtomicUsize>,
}

pub(super) fn bounded(limits: Limits) -> (QueueSender, QueueReceiver) {
    let (sender, receiver) = mpsc::channel(limits.queue_requests);
    let bytes = Arc::new(AtomicUsize::new(0));
    let queue = QueueSender { requests: sender, bytes: bytes.clone(), most_bytes: limits.queue_bytes };
    (queue, QueueReceiver { requests: receiver, bytes })
}

impl QueueSender {
    /// Puts a request at the end, or refuses it at once.
    pub(crate) fn push(&self, request: Request) -> Result<(), AppendError> {
        let overloaded = AppendError::Overloaded { retry_after: Duration::from_millis(100) };
        let size = request.size;
        let before = self.bytes.fetch_add(size, Ordering::Relaxed);
        // A request that is larger than the whole bound still goes through an empty queue.
        let sent = if before > 0 && before + size > self.most_bytes {
            Err(overloaded)
        } else {
            self.requests.try_send(request).map_err(|error| match error {
                TrySendError::Full(_) => overloaded,
                TrySendError::Closed(_) => AppendError::Stopped,
            })
        };
        if sent.is_err() {
            self.bytes.fetch_sub(size, Ordering::Relaxed);
        }
        sent
    }

    /// What waits now.
    pub(crate) fn stats(&self) -> QueueStats {
        QueueStats {
            requests: self.requests.max_capacity() - self.requests.capacity(),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }
}

impl QueueReceiver {
    /// Waits for the next request; none when the queue is closed and empty.
    pub(super) async fn next(&mut self) -> Option<Request> {
        let request = self.requests.recv().await;
        self.taken(request)
    }

    /// The next request if there is one now.
    pub(super) fn next_now(&mut self) -> Option<Request> {
        let request = self.requests.try_recv().ok();
        self.taken(request)
    }

    /// Refuses new requests; what waits can still be taken.
    pub(super) fn close(&mut self) {
        self.requests.close();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.requests.is_closed()
    }

    fn taken(&self, request: Option<Request>) -> Option<Request> {
        self.bytes.fetch_sub(request.as_ref().map_or(0, |r| r.size), Ordering::Relaxed);
        request
    }
}
