//! What the service knows of an open connection: its peer, its calls, what it has yet to read, and whether it
//! should close.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use http::Extensions;
use tokio::sync::watch;
use tokio::time::Instant;

/// An open connection.
pub(crate) struct Connection {
    peer: SocketAddr,
    /// Whether the peer is a trusted proxy, whose connections carry many clients.
    pub(crate) is_proxy: bool,
    opened: Instant,
    /// Calls from their headers to the last byte of their responses.
    calls: AtomicUsize,
    /// Bytes of requests and responses in memory.
    buffered: AtomicUsize,
    /// When a call or a piece of a response last ended, in milliseconds since the connection opened.
    last_progress_ms: AtomicU64,
    closing: watch::Sender<Closing>,
}

/// How far a connection is on its way to close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closing {
    /// It stays open.
    No,
    /// It closes once its calls have ended; HTTP/2 clients get GOAWAY.
    Gracefully,
    /// It closes at once.
    Now,
}

/// A call in progress on a connection; ends on drop.
pub(crate) struct RunningCall(Arc<Connection>);

impl Connection {
    /// Opens a connection from a peer.
    pub(super) fn new(peer: SocketAddr, is_proxy: bool) -> Self {
        Self {
            peer,
            is_proxy,
            opened: Instant::now(),
            calls: AtomicUsize::new(0),
            buffered: AtomicUsize::new(0),
            last_progress_ms: AtomicU64::new(0),
            closing: watch::Sender::new(Closing::No),
        }
    }

    /// Returns the connection of a request, or `None` for a call made inside this process.
    pub(crate) fn of(extensions: &Extensions) -> Option<&Arc<Self>> {
        extensions.get()
    }

    /// Returns the peer's address for a request of this connection.
    pub(crate) fn peer_of(extensions: &Extensions) -> Option<IpAddr> {
        Self::of(extensions).map(|connection| connection.peer.ip())
    }

    /// Counts a call until the guard is dropped.
    pub(crate) fn begin_call(self: &Arc<Self>) -> RunningCall {
        self.calls.fetch_add(1, Ordering::Relaxed);
        RunningCall(Arc::clone(self))
    }

    /// Counts bytes in memory.
    pub(crate) fn add_buffered(&self, bytes: usize) {
        if self.buffered.fetch_add(bytes, Ordering::Relaxed) == 0 {
            self.note_progress();
        }
    }

    /// Counts bytes that left the memory.
    pub(crate) fn remove_buffered(&self, bytes: usize) {
        self.buffered.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Notes that the client took a piece of a response.
    pub(crate) fn note_progress(&self) {
        let now = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_progress_ms.store(now, Ordering::Relaxed);
    }

    /// Returns how many bytes the connection has in memory.
    pub(crate) fn buffered(&self) -> usize {
        self.buffered.load(Ordering::Relaxed)
    }

    /// Returns whether no call is in progress.
    pub(super) fn is_idle(&self) -> bool {
        self.calls.load(Ordering::Relaxed) == 0
    }

    /// Returns the time since a call or a piece of a response ended, or since the connection opened.
    pub(super) fn quiet_for(&self) -> Duration {
        let last = Duration::from_millis(self.last_progress_ms.load(Ordering::Relaxed));
        self.opened.elapsed().saturating_sub(last)
    }

    /// Returns the time since the connection opened.
    pub(super) fn age(&self) -> Duration {
        self.opened.elapsed()
    }

    /// Asks the connection to close. A milder request than an earlier one changes nothing.
    pub(super) fn close(&self, how: Closing) {
        self.closing.send_if_modified(|closing| {
            let stronger = how > *closing;
            *closing = (*closing).max(how);
            stronger
        });
    }

    /// Returns how the connection should close.
    pub(super) fn closing(&self) -> watch::Receiver<Closing> {
        self.closing.subscribe()
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let Self(connection) = self;
        connection.note_progress();
        connection.calls.fetch_sub(1, Ordering::Relaxed);
    }
}
