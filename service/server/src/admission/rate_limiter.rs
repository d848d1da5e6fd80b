//! Rate limits per caller and per address, as token buckets. The number of buckets is bounded; the least
//! recently used one is evicted.

use std::convert::Infallible;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::Quota;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use play::Refusal;
use quick_cache::sync::Cache;
use wire::v1::ErrorReason;

use super::rate_limit_key::RateLimitKey;
use crate::limits::ServiceLimits;
use crate::listener::ClientAddress;

/// Maximum buckets per kind of key.
const MAX_BUCKETS: usize = 65_536;

/// The buckets of all callers and addresses. A kind is `None` if it has no limit.
pub(crate) struct RateLimiter<C: Clock + Clone = DefaultClock> {
    callers: Option<Buckets<u64, C>>,
    addresses: Option<Buckets<ClientAddress, C>>,
}

struct Buckets<K, C: Clock + Clone> {
    /// The key in error messages.
    subject: &'static str,
    calls_per_second: u32,
    quota: Quota,
    clock: C,
    by_key: Cache<K, Arc<Bucket<C>>>,
}

type Bucket<C> = governor::RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<<C as Clock>::Instant>>;

impl<C: Clock + Clone> RateLimiter<C> {
    /// Creates empty buckets with the configured rates and bursts.
    pub(crate) fn new(limits: &ServiceLimits, clock: &C) -> Self {
        let callers = (limits.calls_per_second_per_caller, limits.call_burst_per_caller);
        let addresses = (limits.calls_per_second_per_address, limits.call_burst_per_address);
        Self {
            callers: Buckets::new("this caller", callers, clock),
            addresses: Buckets::new("this address", addresses, clock),
        }
    }

    /// Counts a call, or refuses it as `rate_limited`.
    pub(crate) fn check(&self, key: RateLimitKey) -> Result<(), Refusal> {
        let (address, caller) = match key {
            RateLimitKey::Local => (None, None),
            RateLimitKey::ApiKey(key) => (None, Some(key)),
            RateLimitKey::Address(address, token) => (Some(address), token),
        };
        // The address comes first, as callers can invent tokens.
        if let (Some(addresses), Some(address)) = (&self.addresses, address) {
            addresses.check(&address)?;
        }
        match (&self.callers, caller) {
            (Some(callers), Some(caller)) => callers.check(&caller),
            _ => Ok(()),
        }
    }
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> Buckets<K, C> {
    /// Returns `None` if the rate is 0, which stands for no limit.
    fn new(subject: &'static str, (calls_per_second, burst): (u32, u32), clock: &C) -> Option<Self> {
        let rate = NonZeroU32::new(calls_per_second)?;
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(rate).allow_burst(burst);
        Some(Self { subject, calls_per_second, quota, clock: clock.clone(), by_key: Cache::new(MAX_BUCKETS) })
    }

    fn check(&self, key: &K) -> Result<(), Refusal> {
        let full =
            || Ok::<_, Infallible>(Arc::new(Bucket::direct_with_clock(self.quota, self.clock.clone())));
        let Ok(bucket) = self.by_key.get_or_insert_with(key, full);
        bucket.check().map_err(|early| self.refusal(early.wait_time_from(self.clock.now())))
    }

    fn refusal(&self, wait: Duration) -> Refusal {
        let Self { subject, calls_per_second, .. } = self;
        let message = format!("{subject} exceeds {calls_per_second} calls per second; retry later");
        Refusal::new(ErrorReason::RateLimited, message)
            .with("calls_per_second", calls_per_second)
            .retry_after(wait.max(Duration::from_millis(1)))
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limiter(
        caller: (u32, u32),
        address: (u32, u32),
    ) -> (RateLimiter<FakeRelativeClock>, FakeRelativeClock) {
        let limits = ServiceLimits {
            calls_per_second_per_caller: caller.0,
            call_burst_per_caller: caller.1,
            calls_per_second_per_address: address.0,
            call_burst_per_address: address.1,
            ..ServiceLimits::default()
        };
        let clock = FakeRelativeClock::default();
        (RateLimiter::new(&limits, &clock), clock)
    }

    fn address(last: u8) -> ClientAddress {
        ClientAddress::Remote([192, 0, 2, last].into())
    }

    fn admitted(limiter: &RateLimiter<FakeRelativeClock>, key: RateLimitKey) -> usize {
        (0..1_000).take_while(|_| limiter.check(key).is_ok()).count()
    }

    #[test]
    fn a_burst_is_followed_by_the_rate() {
        let (limiter, clock) = limiter((10, 3), (0, 1));
        let caller = RateLimitKey::Address(address(1), Some(7));
        assert_eq!(admitted(&limiter, caller), 3);
        let refusal = limiter.check(caller).unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RateLimited);
        let wait = refusal.retry_after.unwrap();
        assert!(wait <= Duration::from_millis(100), "{wait:?}");
        clock.advance(wait);
        assert_eq!(admitted(&limiter, caller), 1, "exactly one call after the advertised wait");
        assert_eq!(admitted(&limiter, RateLimitKey::Address(address(1), Some(8))), 3, "another caller");
        assert_eq!(admitted(&limiter, RateLimitKey::ApiKey(9)), 3);
    }

    #[test]
    fn invented_tokens_share_the_limit_of_their_address() {
        let (limiter, _) = limiter((10, 3), (10, 5));
        let invented =
            (0..100).filter(|token| limiter.check(RateLimitKey::Address(address(1), Some(*token))).is_ok());
        assert_eq!(invented.count(), 5);
        assert_eq!(admitted(&limiter, RateLimitKey::Address(address(2), None)), 5);
        // An API key is not limited by what others at its address do.
        assert_eq!(admitted(&limiter, RateLimitKey::ApiKey(1_000)), 3);
    }

    #[test]
    fn zero_means_no_limit_and_this_machine_is_exempt() {
        let (unlimited, _) = limiter((0, 1), (0, 1));
        assert_eq!(admitted(&unlimited, RateLimitKey::Address(address(1), Some(1))), 1_000);
        let (limited, _) = limiter((1, 1), (1, 1));
        assert_eq!(admitted(&limited, RateLimitKey::Local), 1_000);
    }

    #[test]
    fn the_number_of_buckets_is_bounded() {
        let (limiter, _) = limiter((10, 3), (0, 1));
        for token in 0..3 * MAX_BUCKETS as u64 {
            limiter.check(RateLimitKey::ApiKey(token)).unwrap();
        }
        assert!(limiter.callers.unwrap().by_key.len() <= MAX_BUCKETS);
    }
}
