//! The open connections of one listener: how many there may be, in all and per address, how fast they are
//! read, and which are closed because nothing happens on them.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use super::client_address::{ClientAddress, TrustedProxies};
use super::connection::{Closing, Connection};
use super::inbound::{InboundLimit, InboundRates};
use crate::admission::{LimitSubject, Permit, Pool};

/// Interval between looks at all connections.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The idle timeout while all connections are taken.
const CROWDED_IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a connection may take to close once it was asked to.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The same while all connections are taken: others wait for its place.
const CROWDED_CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum time in which a client takes nothing of a large unread response.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);

/// Unread bytes from which on a client must make progress. A slow reader of a stream has less: one frame.
const STALL_BYTES: usize = 256 << 10;

/// The limits of a listener's connections.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionLimits {
    /// Maximum open connections.
    pub(crate) max: usize,
    /// The longest time without a call.
    pub(crate) idle_timeout: Duration,
    /// The longest time a connection may be open.
    pub(crate) max_age: Option<Duration>,
}

/// The open connections; cheap to clone.
#[derive(Clone)]
pub(crate) struct Connections {
    state: Arc<ConnectionsState>,
}

struct ConnectionsState {
    limits: ConnectionLimits,
    permits: Arc<Semaphore>,
    shares: Pool,
    proxies: TrustedProxies,
    inbound: InboundRates,
    next: AtomicU64,
    open: Mutex<HashMap<u64, Arc<Connection>>>,
}

/// A registered connection; removed on drop.
pub(super) struct OpenConnection {
    /// The connection.
    pub(super) connection: Arc<Connection>,
    id: u64,
    connections: Connections,
    // Dropped before the permit, or the next connection would find no room.
    _share: Permit,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    /// Creates the registry of a listener.
    pub(crate) fn new(limits: ConnectionLimits, proxies: TrustedProxies) -> Self {
        let max = limits.max.min(Semaphore::MAX_PERMITS);
        let state = ConnectionsState {
            permits: Arc::new(Semaphore::new(max)),
            shares: Pool::new(max),
            limits,
            proxies,
            inbound: InboundRates::new(),
            next: AtomicU64::new(0),
            open: Mutex::default(),
        };
        Self { state: Arc::new(state) }
    }

    /// Waits until another connection may be open.
    pub(super) async fn permit(&self) -> OwnedSemaphorePermit {
        let permits = Arc::clone(&self.state.permits);
        permits.acquire_owned().await.expect("the semaphore is never closed")
    }

    /// Registers a connection, or returns `None` if its address or network has its share of them. Each
    /// connection of a trusted proxy counts for itself.
    pub(super) fn open(&self, peer: SocketAddr, permit: OwnedSemaphorePermit) -> Option<OpenConnection> {
        let is_proxy = self.state.proxies.trusts(peer.ip().to_canonical());
        let holder = LimitSubject::Address(ClientAddress::of_peer(peer.ip()));
        let account = self.state.shares.account(Some(holder).filter(|_| !is_proxy));
        let share = account.acquire(1).ok()?;
        let id = self.state.next.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection::new(peer, is_proxy));
        self.lock().insert(id, Arc::clone(&connection));
        Some(OpenConnection { connection, id, connections: self.clone(), _share: share, _permit: permit })
    }

    /// Returns how fast a connection is read. A trusted proxy, whose connections carry many clients, has no
    /// limit.
    pub(super) fn inbound_limit(&self, peer: IpAddr) -> InboundLimit {
        match self.state.proxies.trusts(peer.to_canonical()) {
            true => InboundLimit::default(),
            false => self.state.inbound.limit(peer),
        }
    }

    /// Closes connections on which nothing happens.
    pub(crate) async fn keep_closing(&self) -> Infallible {
        loop {
            sleep(CHECK_INTERVAL).await;
            let crowded = self.state.permits.available_permits() == 0;
            self.lock().values().for_each(|connection| self.check(connection, crowded));
        }
    }

    fn check(&self, connection: &Connection, crowded: bool) {
        let ConnectionLimits { idle_timeout, max_age, .. } = self.state.limits;
        let (idle_timeout, close_timeout) = match crowded {
            true => (idle_timeout.min(CROWDED_IDLE_TIMEOUT), CROWDED_CLOSE_TIMEOUT),
            false => (idle_timeout, CLOSE_TIMEOUT),
        };
        let quiet = connection.quiet_for();
        let over_age = max_age.and_then(|age| connection.age().checked_sub(age));
        let over_idle = quiet.checked_sub(idle_timeout).filter(|_| connection.is_idle());
        let stalled = !connection.is_proxy && connection.buffered() >= STALL_BYTES && quiet >= STALL_TIMEOUT;
        match over_age.into_iter().chain(over_idle).max() {
            Some(over) if over >= close_timeout => connection.close(Closing::Now),
            _ if stalled => connection.close(Closing::Now),
            Some(_) => connection.close(Closing::Gracefully),
            None => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<Connection>>> {
        // A panic cannot leave an entry half-written.
        self.state.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.lock().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_newcomer_waits_seven_seconds_for_a_place_that_an_idle_connection_does_not_leave() {
        let limits = ConnectionLimits { max: 1, idle_timeout: Duration::from_secs(300), max_age: None };
        let connections = Connections::new(limits, TrustedProxies::default());
        let permit = connections.permit().await;
        let held = connections.open(([192, 0, 2, 1], 4711).into(), permit).unwrap();
        let mut closing = held.connection.closing();
        let start = Instant::now();
        let closed = async {
            for (expected, seconds) in [(Closing::Gracefully, 5), (Closing::Now, 7)] {
                closing.wait_for(|closing| *closing >= expected).await.unwrap();
                assert!(start.elapsed().as_secs() <= seconds, "{expected:?} after {:?}", start.elapsed());
            }
        };
        tokio::select! {
            () = closed => {}
            never = connections.keep_closing() => match never {},
        }
    }

    #[tokio::test]
    async fn the_addresses_of_one_ipv6_network_get_half_of_all_connections() {
        let limits = ConnectionLimits { max: 40, idle_timeout: Duration::from_secs(60), max_age: None };
        let connections = Connections::new(limits, TrustedProxies::default());
        let mut held = Vec::new();
        for (network, expected) in [(1, 20), (2, 10)] {
            let before = held.len();
            for subnet in 0..30 {
                let peer = Ipv6Addr::new(0x2001, 0xdb8, network, subnet, 0, 0, 0, 1);
                let permit = connections.permit().await;
                held.extend(connections.open((peer, 4711).into(), permit));
            }
            assert_eq!(held.len() - before, expected, "network {network}");
        }
        drop(held);
        assert_eq!(connections.state.permits.available_permits(), 40);
    }
}
