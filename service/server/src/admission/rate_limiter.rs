//! Enforces the rate limits with token buckets, one per limit and subject. The number of buckets is bounded;
//! the least recently used one is evicted.

use std::convert::Infallible;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::Quota;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use play::Refusal;
use quick_cache::sync::Cache;
use wire::v1::ErrorReason;

use super::rate_limit_fields::RateLimitFields;
use super::rate_limit_key::{LimitSubject, RateLimitKey};
use super::rate_limits::{RateLimit, rate_limits};
use crate::limits::ServiceLimits;
use crate::protocol::RpcMethod;

/// Maximum buckets per limit.
const MAX_BUCKETS: usize = 65_536;

/// The buckets of all limits, in the order of their checks.
pub(crate) struct RateLimiter<C: Clock + Clone = DefaultClock> {
    by_limit: Vec<Buckets<C>>,
}

struct Buckets<C: Clock + Clone> {
    limit: RateLimit,
    quota: Quota,
    clock: C,
    by_subject: Cache<LimitSubject, Arc<Bucket<C>>>,
}

type Bucket<C> = governor::RateLimiter<NotKeyed, InMemoryState, C, StateInformationMiddleware>;

impl<C: Clock + Clone> RateLimiter<C> {
    /// Creates full buckets for the configured limits.
    pub(crate) fn new(limits: &ServiceLimits, clock: &C) -> Self {
        Self::of(rate_limits(limits), clock)
    }

    fn of(limits: Vec<RateLimit>, clock: &C) -> Self {
        Self { by_limit: limits.into_iter().filter_map(|limit| Buckets::new(limit, clock)).collect() }
    }

    /// Counts a call, or refuses it as `RATE_LIMITED`. Notes the state of the limits in `fields`.
    pub(super) fn check(
        &self,
        method: &RpcMethod,
        key: RateLimitKey,
        fields: &mut RateLimitFields,
    ) -> Result<(), Refusal> {
        for buckets in &self.by_limit {
            let RateLimit { applies_to, subject, .. } = buckets.limit;
            if applies_to(method)
                && let Some(subject) = subject(key)
            {
                buckets.check(subject, fields)?;
            }
        }
        Ok(())
    }
}

impl<C: Clock + Clone> Buckets<C> {
    /// Returns `None` if the rate is 0, which stands for no limit.
    fn new(limit: RateLimit, clock: &C) -> Option<Self> {
        let rate = NonZeroU32::new(limit.per_second)?;
        let burst = NonZeroU32::new(limit.burst).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(rate).allow_burst(burst);
        Some(Self { limit, quota, clock: clock.clone(), by_subject: Cache::new(MAX_BUCKETS) })
    }

    fn check(&self, subject: LimitSubject, fields: &mut RateLimitFields) -> Result<(), Refusal> {
        let full = || Ok::<_, Infallible>(Arc::new(self.full_bucket()));
        let Ok(bucket) = self.by_subject.get_or_insert_with(&subject, full);
        match bucket.check() {
            Ok(snapshot) => {
                fields.admitted(&self.limit, &snapshot);
                Ok(())
            }
            Err(early) => {
                fields.refused(&self.limit);
                Err(self.refusal(subject, early.wait_time_from(self.clock.now())))
            }
        }
    }

    fn full_bucket(&self) -> Bucket<C> {
        governor::RateLimiter::direct_with_clock(self.quota, self.clock.clone()).with_middleware()
    }

    fn refusal(&self, subject: LimitSubject, wait: Duration) -> Refusal {
        let RateLimit { name, per_second, .. } = self.limit;
        let what = name.replace('_', " ");
        let message = format!("{subject} exceeds {per_second} {what}; retry later");
        Refusal::new(ErrorReason::RateLimited, message)
            .with(name, per_second)
            .retry_after(wait.max(Duration::from_millis(1)))
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;
    use crate::listener::ClientAddress;
    use crate::protocol::{MethodIndex, MethodKind};

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

    /// Counts a call without reading the state of the limits.
    fn check(
        limiter: &RateLimiter<FakeRelativeClock>,
        method: &RpcMethod,
        key: RateLimitKey,
    ) -> Result<(), Refusal> {
        limiter.check(method, key, &mut RateLimitFields::default())
    }

    fn address(last: u8) -> ClientAddress {
        ClientAddress::Remote([192, 0, 2, last].into())
    }

    fn method(kind: MethodKind) -> RpcMethod {
        RpcMethod { name: "MatchService/Any".into(), kind, is_streaming: false, index: MethodIndex(0) }
    }

    fn admitted(limiter: &RateLimiter<FakeRelativeClock>, key: RateLimitKey) -> usize {
        let read = method(MethodKind::Read);
        (0..1_000).take_while(|_| check(limiter, &read, key).is_ok()).count()
    }

    #[test]
    fn a_burst_is_followed_by_the_rate() {
        let (limiter, clock) = limiter((10, 3), (0, 1));
        let caller = RateLimitKey::Address(address(1), Some(7));
        assert_eq!(admitted(&limiter, caller), 3);
        let refusal = check(&limiter, &method(MethodKind::Read), caller).unwrap_err();
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
        let invented = |token| RateLimitKey::Address(address(1), Some(token));
        let read = method(MethodKind::Read);
        assert_eq!((0..100).filter(|token| check(&limiter, &read, invented(*token)).is_ok()).count(), 5);
        assert_eq!(admitted(&limiter, RateLimitKey::Address(address(2), None)), 5);
        // An API key is not limited by what others at its address do.
        assert_eq!(admitted(&limiter, RateLimitKey::ApiKey(1_000)), 3);
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_a_limit() {
        let (limiter, _) = limiter((0, 1), (10, 5));
        let address = |network: u16, subnet: u16| {
            let address = std::net::Ipv6Addr::new(0x2001, 0xdb8, network, subnet, 0, 0, 0, 0);
            RateLimitKey::Address(ClientAddress::Remote(address.into()), None)
        };
        let of_network =
            |network| (0..100).map(|subnet| admitted(&limiter, address(network, subnet))).sum::<usize>();
        assert_eq!([of_network(1), of_network(2)], [40, 40], "eight addresses' worth each");
        assert_eq!(admitted(&limiter, address(3, 0)), 5, "one address has its own");
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
        let read = method(MethodKind::Read);
        for token in 0..3 * MAX_BUCKETS as u64 {
            check(&limiter, &read, RateLimitKey::ApiKey(token)).unwrap();
        }
        let [callers] = &limiter.by_limit[..] else { panic!("a rate of 0 has no buckets") };
        assert!((1..=MAX_BUCKETS).contains(&callers.by_subject.len()));
    }

    #[test]
    fn a_limit_counts_only_the_calls_and_subjects_it_applies_to() {
        let writes = RateLimit {
            policy: "writes",
            name: "writes_per_second",
            per_second: 1,
            burst: 2,
            applies_to: |method| method.kind == MethodKind::Write,
            subject: RateLimitKey::api_key_or_address,
        };
        let limiter = RateLimiter::of(vec![writes], &FakeRelativeClock::default());
        let token = |token| RateLimitKey::Address(address(1), Some(token));
        let write = method(MethodKind::Write);
        check(&limiter, &write, token(7)).unwrap();
        check(&limiter, &write, token(8)).unwrap();
        let refusal = check(&limiter, &write, token(9)).unwrap_err();
        assert_eq!(refusal.message, "this address exceeds 1 writes per second; retry later");
        assert_eq!(refusal.metadata["writes_per_second"], "1");
        assert_eq!(admitted(&limiter, token(9)), 1_000, "reads do not count");
        check(&limiter, &write, RateLimitKey::ApiKey(9)).unwrap();
        check(&limiter, &write, RateLimitKey::Local).unwrap();
    }

    #[test]
    fn the_state_of_each_limit_is_noted() {
        let (limiter, clock) = limiter((10, 3), (10, 40));
        let read = method(MethodKind::Read);
        let noted = |key| {
            let mut fields = RateLimitFields::default();
            let refused = limiter.check(&read, key, &mut fields).is_err();
            let mut headers = http::HeaderMap::new();
            fields.add_to(&mut headers);
            let field =
                |name| headers.get(name).map(|value: &http::HeaderValue| value.to_str().unwrap().to_owned());
            (refused, field("ratelimit-policy"), field("ratelimit"))
        };
        let seat = RateLimitKey::Address(address(1), Some(7));
        let policy = Some("\"address\";q=40;w=4, \"caller\";q=3;w=1".to_owned());
        let state = |text: &str| Some(text.to_owned());
        assert_eq!(noted(seat), (false, policy.clone(), state("\"address\";r=39;t=1, \"caller\";r=2;t=1")));
        assert_eq!(noted(seat), (false, policy.clone(), state("\"address\";r=38;t=1, \"caller\";r=1;t=1")));
        assert_eq!(noted(seat), (false, policy.clone(), state("\"address\";r=37;t=1, \"caller\";r=0;t=1")));
        assert_eq!(noted(seat), (true, policy.clone(), state("\"address\";r=36;t=1, \"caller\";r=0;t=1")));
        clock.advance(Duration::from_secs(10));
        assert_eq!(noted(seat), (false, policy, state("\"address\";r=39;t=1, \"caller\";r=2;t=1")));

        let key = RateLimitKey::ApiKey(9);
        assert_eq!(noted(key), (false, state("\"caller\";q=3;w=1"), state("\"caller\";r=2;t=1")));
        assert_eq!(noted(RateLimitKey::Local), (false, None, None));
    }
}
