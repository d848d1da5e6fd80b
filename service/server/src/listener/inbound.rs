//! The rate at which the service reads what an address sends. Calls have limits of their own, but a client
//! can send what is no call: frames of HTTP/2 that change nothing. Each costs little, and a connection that
//! always has more of them ready leaves the processor to others for moments only.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::client_address::ClientAddress;

/// Bytes per second that are read of one address. The most calls that one may make per second by default, of
/// a few kilobytes each, are a tenth of that.
const BYTES_PER_SECOND: u64 = 16 << 20;

/// One over the seconds of bytes that are read at once of an address that sent nothing before.
const BURSTS_PER_SECOND: u64 = 4;

/// How many times as much is read of the addresses of one IPv6 /48 together.
const NETWORK_FACTOR: u64 = 8;

/// Maximum addresses and networks that are remembered.
const MAX_ADDRESSES: usize = 65_536;

/// The rates of all addresses.
pub(super) struct InboundRates {
    /// By address and factor: a /48 is written like the first /64 in it.
    rates: Cache<(ClientAddress, u64), Arc<InboundRate>>,
}

/// What was read of one address or network and is not earned again since.
struct InboundRate {
    per_second: u64,
    spent: Mutex<Spent>,
}

struct Spent {
    bytes: u64,
    settled: Instant,
}

/// The limit of one connection: the rates of its address and network.
#[derive(Default)]
pub(super) struct InboundLimit {
    rates: Vec<Arc<InboundRate>>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl InboundRates {
    pub(super) fn new() -> Self {
        Self { rates: Cache::new(MAX_ADDRESSES) }
    }

    /// Returns the limit of a connection from a peer.
    pub(super) fn limit(&self, peer: IpAddr) -> InboundLimit {
        let address = ClientAddress::of_peer(peer);
        let network = address.wider_network().map(|network| self.rate(network, NETWORK_FACTOR));
        InboundLimit { rates: network.into_iter().chain([self.rate(address, 1)]).collect(), pause: None }
    }

    fn rate(&self, address: ClientAddress, factor: u64) -> Arc<InboundRate> {
        let rate = self.rates.get_or_insert_with(&(address, factor), || {
            let spent = Mutex::new(Spent { bytes: 0, settled: Instant::now() });
            Ok::<_, std::convert::Infallible>(Arc::new(InboundRate {
                per_second: BYTES_PER_SECOND * factor,
                spent,
            }))
        });
        let Ok(rate) = rate;
        rate
    }
}

impl InboundRate {
    /// Counts bytes that were read. Returns how long to read no more.
    fn spend(&self, bytes: u64) -> Duration {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let micros = u64::try_from(now.duration_since(spent.settled).as_micros()).unwrap_or(u64::MAX);
        let earned = self.per_second.saturating_mul(micros) / 1_000_000;
        if earned > 0 {
            spent.bytes = spent.bytes.saturating_sub(earned);
            spent.settled = now;
        }
        spent.bytes = spent.bytes.saturating_add(bytes);
        let excess = spent.bytes.saturating_sub(self.per_second / BURSTS_PER_SECOND);
        Duration::from_micros(excess.saturating_mul(1_000_000) / self.per_second)
    }
}

impl InboundLimit {
    /// Reads from a stream, unless what was read before has to be earned first.
    pub(super) fn poll_read<S: AsyncRead>(
        &mut self,
        stream: Pin<&mut S>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        let before = buffer.filled().len();
        ready!(stream.poll_read(context, buffer))?;
        let read = u64::try_from(buffer.filled().len() - before).unwrap_or(u64::MAX);
        let pause = self.rates.iter().map(|rate| rate.spend(read)).max().unwrap_or_default();
        self.pause = (!pause.is_zero()).then(|| Box::pin(sleep(pause)));
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::Ipv6Addr;

    use super::*;

    /// A client that always has more to read.
    struct Endless;

    impl AsyncRead for Endless {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            buffer.put_slice(&[0; PIECE]);
            Poll::Ready(Ok(()))
        }
    }

    const PIECE: usize = 64 << 10;
    const BURST: u64 = BYTES_PER_SECOND / BURSTS_PER_SECOND;

    /// Reads until the limit pauses, and returns how many bytes that are.
    async fn read_ready(limit: &mut InboundLimit) -> u64 {
        let mut read = 0;
        poll_fn(|context| {
            loop {
                let mut bytes = [0; PIECE];
                let mut buffer = ReadBuf::new(&mut bytes);
                match limit.poll_read(Pin::new(&mut Endless), context, &mut buffer) {
                    Poll::Ready(result) => result.unwrap(),
                    Poll::Pending => return Poll::Ready(()),
                }
                read += buffer.filled().len() as u64;
            }
        })
        .await;
        read
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_is_read_at_a_bounded_rate_over_all_its_connections() {
        let rates = InboundRates::new();
        let address: IpAddr = "192.0.2.7".parse().unwrap();
        let (mut first, mut second) = (rates.limit(address), rates.limit(address));
        // The read that goes beyond the limit is counted; after it there are pauses.
        let at_once = read_ready(&mut first).await + read_ready(&mut second).await;
        assert!((BURST..=BURST + 2 * PIECE as u64).contains(&at_once), "{at_once}");
        drop((first, second));
        assert_eq!(
            read_ready(&mut rates.limit(address)).await,
            PIECE as u64,
            "a new connection earns nothing"
        );
        let other = read_ready(&mut rates.limit("192.0.2.8".parse().unwrap())).await;
        assert!(other > BURST, "{other}");

        let mut third = rates.limit(address);
        tokio::time::advance(Duration::from_secs(2)).await;
        let later = read_ready(&mut third).await;
        assert!((BURST..=BURST + 2 * PIECE as u64).contains(&later), "{later}");
    }

    #[tokio::test(start_paused = true)]
    async fn the_addresses_of_one_ipv6_network_are_read_as_fast_as_eight() {
        let rates = InboundRates::new();
        let mut read = 0;
        for subnet in 0..20 {
            let peer = Ipv6Addr::new(0x2001, 0xdb8, 1, subnet, 0, 0, 0, 1);
            read += read_ready(&mut rates.limit(peer.into())).await;
        }
        let bound = BURST * NETWORK_FACTOR;
        assert!((bound..=bound + 20 * PIECE as u64).contains(&read), "{read}");
    }
}
