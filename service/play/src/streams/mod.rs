//! Streams of responses: watches, exports and feeds. Each holds a permit, and ends when the service shuts
//! down.

mod feed_cursor;
mod response_stream;
mod shutdown;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wire::v1 as proto;
use wire::v1::ErrorReason;

use crate::{Refusal, ServiceKey};

pub(crate) use feed_cursor::CursorCodec;
pub(crate) use response_stream::Produce;
pub(crate) use shutdown::{Shutdown, ShutdownSignal};

pub use response_stream::ResponseStream;

/// The frames of one watch. Ends after the match's last event, and after the first refusal.
pub type Watch = ResponseStream<proto::WatchMatchResponse>;

/// The records of one exported log, header first. Ends after the signed head, and after the first refusal.
pub type Export = ResponseStream<proto::ExportLogResponse>;

/// The frames of one feed. Ends after the first refusal, and, if it does not follow, after a heartbeat once
/// it has sent all events.
pub type Feed = ResponseStream<proto::StreamFeedResponse>;

/// Maximum heartbeat interval.
const MAX_HEARTBEAT: Duration = Duration::from_secs(24 * 60 * 60);

/// What all streams share.
pub(crate) struct Streams {
    permits: Arc<Semaphore>,
    capacity: usize,
    heartbeat: Duration,
    shutdown: Shutdown,
    /// Reads and writes the cursors of feeds.
    pub(crate) cursors: CursorCodec,
}

/// A permit for one open stream; dropping it lets another one open.
pub(crate) struct StreamPermit {
    _permit: OwnedSemaphorePermit,
}

impl Streams {
    pub(crate) fn new(capacity: usize, heartbeat: Duration, key: &ServiceKey, shutdown: Shutdown) -> Self {
        let capacity = capacity.min(Semaphore::MAX_PERMITS);
        Self {
            permits: Arc::new(Semaphore::new(capacity)),
            capacity,
            heartbeat: heartbeat.min(MAX_HEARTBEAT),
            shutdown,
            cursors: CursorCodec::new(key),
        }
    }

    /// Returns a permit for one more stream, or refuses if all are in use.
    pub(crate) fn permit(&self) -> Result<StreamPermit, Refusal> {
        match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => Ok(StreamPermit { _permit: permit }),
            Err(_) => {
                let message =
                    format!("all {} streams of this service are in use; try again later", self.capacity);
                Err(Refusal::new(ErrorReason::TooManyStreams, message).retry_after(self.heartbeat))
            }
        }
    }

    /// Returns the number of open streams.
    pub(crate) fn open(&self) -> usize {
        self.capacity.saturating_sub(self.permits.available_permits())
    }

    /// Returns the heartbeat interval of idle streams.
    pub(crate) fn heartbeat(&self) -> Duration {
        self.heartbeat
    }

    /// Returns a signal of the service's shutdown.
    pub(crate) fn shutdown_signal(&self) -> ShutdownSignal {
        self.shutdown.signal()
    }
}
