//! How often somebody may call: each caller and each address has a meter that fills with calls and drains with time.
//! Only so many meters are kept; the one that has not been used for longest makes room.

use std::convert::Infallible;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use play::Refusal;
use quick_cache::sync::Cache;
use wire::v1::ErrorReason;

use crate::limits::ServiceLimits;
use crate::origin::Origin;
use crate::payer::Payer;

/// Meters kept of each kind.
const METERS: usize = 65_536;

/// The meters of all callers and addresses.
pub(crate) struct RateLimits<C: Clock + Clone = DefaultClock> {
    callers: Option<Meters<u64, C>>,
    addresses: Option<Meters<Origin, C>>,
}

struct Meters<K, C: Clock + Clone> {
    who: &'static str,
    calls_per_second: u32,
    quota: Quota,
    clock: C,
    meters: Cache<K, Arc<Meter<C>>>,
}

type Meter<C> = RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<<C as Clock>::Instant>>;

impl<C: Clock + Clone> RateLimits<C> {
    /// The limits that were configured, by this clock.
    pub(crate) fn new(limits: &ServiceLimits, clock: &C) -> Self {
        let callers = (limits.calls_per_second_per_caller, limits.call_burst_per_caller);
        let addresses = (limits.calls_per_second_per_address, limits.call_burst_per_address);
        Self {
            callers: Meters::new("this caller", callers, clock),
            addresses: Meters::new("this address", addresses, clock),
        }
    }

    /// Counts a call, or refuses it.
    pub(crate) fn check(&self, payer: Payer) -> Result<(), Refusal> {
        let (origin, caller) = match payer {
            Payer::Here => (None, None),
            Payer::Key(key) => (None, Some(key)),
            Payer::Address(origin, token) => (Some(origin), token),
        };
        // The address first: callers can make up as many tokens as they like.
        if let (Some(addresses), Some(origin)) = (&self.addresses, origin) {
            addresses.check(&origin)?;
        }
        match (&self.callers, caller) {
            (Some(callers), Some(caller)) => callers.check(&caller),
            _ => Ok(()),
        }
    }
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> Meters<K, C> {
    /// None if there is no limit.
    fn new(who: &'static str, (calls_per_second, burst): (u32, u32), clock: &C) -> Option<Self> {
        let rate = NonZeroU32::new(calls_per_second)?;
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(rate).allow_burst(burst);
        Some(Self { who, calls_per_second, quota, clock: clock.clone(), meters: Cache::new(METERS) })
    }

    fn check(&self, key: &K) -> Result<(), Refusal> {
        let fresh =
            || Ok::<_, Infallible>(Arc::new(Meter::direct_with_clock(self.quota, self.clock.clone())));
        let Ok(meter) = self.meters.get_or_insert_with(key, fresh);
        meter.check().map_err(|early| self.refusal(early.wait_time_from(self.clock.now())))
    }

    fn refusal(&self, wait: Duration) -> Refusal {
        let Self { who, calls_per_second, .. } = self;
        let message =
            format!("{who} calls more often than {calls_per_second} times a second; go on a little later");
        Refusal::new(ErrorReason::RateLimited, message)
            .with("calls_per_second", calls_per_second)
            .retry_after(wait.max(Duration::from_millis(1)))
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limits(caller: (u32, u32), address: (u32, u32)) -> (RateLimits<FakeRelativeClock>, FakeRelativeClock) {
        let limits = ServiceLimits {
            calls_per_second_per_caller: caller.0,
            call_burst_per_caller: caller.1,
            calls_per_second_per_address: address.0,
            call_burst_per_address: address.1,
            ..ServiceLimits::default()
        };
        let clock = FakeRelativeClock::default();
        (RateLimits::new(&limits, &clock), clock)
    }

    fn address(last: u8) -> Origin {
        Origin::Address([192, 0, 2, last].into())
    }

    fn passed(limits: &RateLimits<FakeRelativeClock>, payer: Payer) -> usize {
        (0..1_000).take_while(|_| limits.check(payer).is_ok()).count()
    }

    #[test]
    fn a_burst_and_then_so_many_a_second() {
        let (limits, clock) = limits((10, 3), (0, 1));
        let caller = Payer::Address(address(1), Some(7));
        assert_eq!(passed(&limits, caller), 3);
        let refusal = limits.check(caller).unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RateLimited);
        let wait = refusal.retry_after.unwrap();
        assert!(wait <= Duration::from_millis(100), "{wait:?}");
        clock.advance(wait);
        assert_eq!(passed(&limits, caller), 1, "after the wait that was told, and not twice");
        assert_eq!(passed(&limits, Payer::Address(address(1), Some(8))), 3, "another caller");
        assert_eq!(passed(&limits, Payer::Key(9)), 3);
    }

    #[test]
    fn tokens_that_are_made_up_don_t_help() {
        let (limits, _) = limits((10, 3), (10, 5));
        let made_up = (0..100).filter(|token| limits.check(Payer::Address(address(1), Some(*token))).is_ok());
        assert_eq!(made_up.count(), 5);
        assert_eq!(passed(&limits, Payer::Address(address(2), None)), 5);
        // An app's key is not held to what others at its address do.
        assert_eq!(passed(&limits, Payer::Key(1_000)), 3);
    }

    #[test]
    fn zero_is_no_limit_and_this_machine_has_none() {
        let (none, _) = limits((0, 1), (0, 1));
        assert_eq!(passed(&none, Payer::Address(address(1), Some(1))), 1_000);
        let (some, _) = limits((1, 1), (1, 1));
        assert_eq!(passed(&some, Payer::Here), 1_000);
    }

    #[test]
    fn memory_is_bounded() {
        let (limits, _) = limits((10, 3), (0, 1));
        for token in 0..3 * METERS as u64 {
            limits.check(Payer::Key(token)).unwrap();
        }
        assert!(limits.callers.unwrap().meters.len() <= METERS);
    }
}
