//! A writer's inbox, bounded in requests and in bytes: if the database is slow, callers are rejected early.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::batch::Request;
use crate::{AppendError, JournalLimits, QueueStats};

/// The callers' end.
#[derive(Clone, Debug)]
pub(crate) struct QueueSender {
    requests: mpsc::Sender<Request>,
    bytes: Arc<AtomicUsize>,
    max_bytes: usize,
}

/// The writer's end.
#[derive(Debug)]
pub(crate) struct QueueReceiver {
    requests: mpsc::Receiver<Request>,
    bytes: Arc<AtomicUsize>,
}

/// Creates a queue.
pub(super) fn bounded(limits: JournalLimits) -> (QueueSender, QueueReceiver) {
    let (sender, receiver) = mpsc::channel(limits.queue_requests);
    let bytes = Arc::new(AtomicUsize::new(0));
    let queue = QueueSender { requests: sender, bytes: bytes.clone(), max_bytes: limits.queue_bytes };
    (queue, QueueReceiver { requests: receiver, bytes })
}

impl QueueSender {
    /// Queues a request, or rejects it if the queue is full.
    pub(crate) fn push(&self, request: Request) -> Result<(), AppendError> {
        let overloaded = AppendError::Overloaded { retry_after: Duration::from_millis(100) };
        let size = request.size;
        let before = self.bytes.fetch_add(size, Ordering::Relaxed);
        // An empty queue accepts any request, even one above the limit.
        let sent = if before > 0 && before + size > self.max_bytes {
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

    /// Returns the queue's current length.
    pub(crate) fn stats(&self) -> QueueStats {
        QueueStats {
            requests: self.requests.max_capacity() - self.requests.capacity(),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }
}

impl QueueReceiver {
    /// Waits for the next request. Returns `None` once the queue is closed and empty.
    pub(super) async fn recv(&mut self) -> Option<Request> {
        let request = self.requests.recv().await;
        self.release(request)
    }

    /// Returns the next request, if one is queued.
    pub(super) fn try_recv(&mut self) -> Option<Request> {
        let request = self.requests.try_recv().ok();
        self.release(request)
    }

    /// Rejects new requests; queued ones remain.
    pub(super) fn close(&mut self) {
        self.requests.close();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.requests.is_closed()
    }

    fn release(&self, request: Option<Request>) -> Option<Request> {
        self.bytes.fetch_sub(request.as_ref().map_or(0, |r| r.size), Ordering::Relaxed);
        request
    }
}
