//! Counts the open streams of each caller. `play` limits all streams together.

use std::time::Duration;

use play::Refusal;
use wire::v1::ErrorReason;

use super::rate_limit_key::{ADDRESSES_OF_NETWORK, RateLimitKey};
use super::shares::{Permit, Pool};
use crate::limits::ServiceLimits;

/// When a caller at its limit may try again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The number of open streams by caller; cheap to clone.
#[derive(Clone)]
pub(crate) struct CallerStreams {
    max_per_caller: usize,
    open: Pool,
}

/// A permit for one stream, returned on drop.
pub(crate) struct CallerStreamPermit {
    /// `None` for callers that are exempt.
    _permit: Option<Permit>,
}

impl CallerStreams {
    /// Creates the counts with the limit per caller, and a share of all streams.
    pub(crate) fn new(limits: &ServiceLimits) -> Self {
        Self { max_per_caller: limits.max_watches_per_caller, open: Pool::new(limits.max_watches) }
    }

    /// Acquires a permit for one more stream, or refuses it as `TOO_MANY_STREAMS`.
    pub(crate) fn acquire(&self, key: RateLimitKey) -> Result<CallerStreamPermit, Refusal> {
        let Some(holder) = key.api_key_or_address() else {
            return Ok(CallerStreamPermit { _permit: None });
        };
        let account = self.open.account(Some(holder));
        let permit = account.acquire(1).map_err(|_| {
            too_many("this caller or its network has its share of all open watches; close one first".into())
        })?;
        let max_of_network = self.max_per_caller.saturating_mul(ADDRESSES_OF_NETWORK as usize);
        if account.held_by_network().is_some_and(|held| held > max_of_network) {
            return Err(too_many(format!(
                "this caller's network has {max_of_network} open watches, the maximum; close one first"
            )));
        }
        if account.held() > self.max_per_caller {
            let max = self.max_per_caller;
            return Err(too_many(format!(
                "this caller has {max} open watches, the maximum; close one first"
            )));
        }
        Ok(CallerStreamPermit { _permit: Some(permit) })
    }
}

fn too_many(message: String) -> Refusal {
    Refusal::new(ErrorReason::TooManyStreams, message).retry_after(RETRY_AFTER)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::*;
    use crate::listener::ClientAddress;

    fn address(token: Option<u64>) -> RateLimitKey {
        RateLimitKey::Address(ClientAddress::Remote([192, 0, 2, 1].into()), token)
    }

    #[test]
    fn each_caller_has_its_own_permits_and_gets_them_back() {
        let streams =
            CallerStreams::new(&ServiceLimits { max_watches_per_caller: 2, ..ServiceLimits::default() });
        let first = streams.acquire(address(None)).unwrap();
        let _second = streams.acquire(address(Some(7))).unwrap();
        let refusal = streams.acquire(address(Some(8))).err().unwrap();
        assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
        let _key = streams.acquire(RateLimitKey::ApiKey(7)).unwrap();
        let local: Vec<_> = (0..10).map(|_| streams.acquire(RateLimitKey::Local).unwrap()).collect();
        drop(first);
        drop(local);
        let _third = streams.acquire(address(None)).unwrap();
        assert!(streams.acquire(address(None)).is_err());
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_get_eight_times_as_many() {
        let limits = ServiceLimits { max_watches_per_caller: 2, ..ServiceLimits::default() };
        let streams = CallerStreams::new(&limits);
        let of_network = |network: u16| {
            let address = |subnet| Ipv6Addr::new(0x2001, 0xdb8, network, subnet, 0, 0, 0, 0);
            let key = |subnet| RateLimitKey::Address(ClientAddress::Remote(address(subnet).into()), None);
            (0..100).filter_map(|subnet| streams.acquire(key(subnet)).ok()).collect::<Vec<_>>()
        };
        let held = [1, 2].map(of_network);
        assert_eq!(held.map(|held| held.len()), [16, 16]);
    }

    #[test]
    fn one_caller_gets_a_quarter_of_all_streams() {
        let streams = CallerStreams::new(&ServiceLimits { max_watches: 40, ..ServiceLimits::default() });
        let held: Vec<_> = std::iter::from_fn(|| streams.acquire(address(None)).ok()).collect();
        assert_eq!(held.len(), 10);
        streams.acquire(RateLimitKey::ApiKey(7)).unwrap();
    }
}
