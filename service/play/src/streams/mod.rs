//! Streams of responses: watches, exports and feeds. Each holds a permit, and ends when the service shuts
//! down.

mod feed_cursor;
mod kind;
mod response_stream;
mod shutdown;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wire::v1 as proto;
use wire::v1::ErrorReason;

use crate::shares::NoRoom;
use crate::{Refusal, ServiceKey};
use kind::OpenStreams;

pub(crate) use feed_cursor::CursorCodec;
pub(crate) use response_stream::Produce;
pub(crate) use shutdown::{Shutdown, ShutdownSignal};

pub use kind::StreamKind;
pub use response_stream::ResponseStream;

/// The frames of one watch. Ends after the match's last event, and after the first refusal.
pub type Watch = ResponseStream<proto::WatchMatchResponse>;

/// The records of one exported log, header first. Ends after the signed head, and after the first refusal.
pub type Export = ResponseStream<proto::ExportLogResponse>;

/// The frames of an export of many matches. Ends after the end frame, and after the first refusal.
pub type MatchesExport = ResponseStream<proto::ExportMatchesResponse>;

/// The frames of one feed. Ends after the first refusal, and, if it does not follow, after a heartbeat once
/// it has sent all events.
pub type Feed = ResponseStream<proto::StreamFeedResponse>;

/// Maximum heartbeat interval.
const MAX_HEARTBEAT: Duration = Duration::from_secs(24 * 60 * 60);

/// What all streams share.
pub(crate) struct Streams {
    permits: Arc<Semaphore>,
    capacity: usize,
    open: Arc<OpenStreams>,
    heartbeat: Duration,
    shutdown: Shutdown,
    /// Reads and writes the cursors of feeds.
    pub(crate) cursors: CursorCodec,
}

/// A permit for one open stream; dropping it lets another one open.
pub struct StreamPermit {
    kind: StreamKind,
    open: Arc<OpenStreams>,
    _permit: OwnedSemaphorePermit,
}

impl Streams {
    pub(crate) fn new(capacity: usize, heartbeat: Duration, key: &ServiceKey, shutdown: Shutdown) -> Self {
        let capacity = capacity.min(Semaphore::MAX_PERMITS);
        Self {
            permits: Arc::new(Semaphore::new(capacity)),
            capacity,
            open: Arc::default(),
            heartbeat: heartbeat.min(MAX_HEARTBEAT),
            shutdown,
            cursors: CursorCodec::new(key),
        }
    }

    /// Returns a permit for one more stream, or refuses if all are in use.
    pub(crate) fn permit(&self, kind: StreamKind) -> Result<StreamPermit, Refusal> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().map_err(|_| self.too_many())?;
        self.open.add(kind);
        Ok(StreamPermit { kind, open: Arc::clone(&self.open), _permit: permit })
    }

    /// Returns the number of open streams of a kind.
    pub(crate) fn open(&self, kind: StreamKind) -> u64 {
        self.open.count(kind)
    }

    fn too_many(&self) -> Refusal {
        let message = format!("all {} streams of this service are in use; try again later", self.capacity);
        Refusal::new(ErrorReason::TooManyStreams, message).retry_after(self.heartbeat)
    }

    /// Returns the refusal of a watch while those that are open keep too much in memory.
    pub(crate) fn too_large(&self, no_room: NoRoom) -> Refusal {
        let message = match no_room {
            NoRoom::InAll => "the matches that are watched take all memory for live matches; try again later",
            NoRoom::InShare => {
                "the matches that this caller or its network watches take its share of the memory for live \
                 matches; close a watch first"
            }
        };
        Refusal::new(ErrorReason::TooManyStreams, message).retry_after(self.heartbeat)
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

impl Drop for StreamPermit {
    fn drop(&mut self) {
        self.open.remove(self.kind);
    }
}
