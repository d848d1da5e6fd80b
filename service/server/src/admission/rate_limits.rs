//! The list of rate limits: which calls each counts, and by which subject. `rate_limiter` enforces them.

use super::rate_limit_key::{ADDRESSES_OF_NETWORK, LimitSubject, RateLimitKey};
use crate::limits::ServiceLimits;
use crate::protocol::RpcMethod;

/// A limit on how often one subject makes certain calls.
pub(super) struct RateLimit {
    /// The policy's name in the response fields `RateLimit-Policy` and `RateLimit`, unique among all limits.
    pub(super) policy: &'static str,
    /// The rate's name in a refusal's metadata and, with spaces, in its message.
    pub(super) name: &'static str,
    /// Maximum calls per second, 0 for no limit.
    pub(super) per_second: u32,
    /// Maximum calls at once.
    pub(super) burst: u32,
    /// Whether calls of a method count.
    pub(super) applies_to: fn(&RpcMethod) -> bool,
    /// The subject that a call counts for, `None` if the caller is exempt.
    pub(super) subject: fn(RateLimitKey) -> Option<LimitSubject>,
}

/// Returns the limits in the order of their checks. A call that one refuses does not count for the next.
pub(super) fn rate_limits(limits: &ServiceLimits) -> Vec<RateLimit> {
    vec![
        // The address comes first, as callers can invent tokens.
        RateLimit {
            policy: "address",
            name: "calls_per_second",
            per_second: limits.calls_per_second_per_address,
            burst: limits.call_burst_per_address,
            applies_to: |_| true,
            subject: RateLimitKey::address,
        },
        RateLimit {
            policy: "network",
            name: "calls_per_second",
            per_second: limits.calls_per_second_per_address.saturating_mul(ADDRESSES_OF_NETWORK),
            burst: limits.call_burst_per_address.saturating_mul(ADDRESSES_OF_NETWORK),
            applies_to: |_| true,
            subject: RateLimitKey::network,
        },
        RateLimit {
            policy: "caller",
            name: "calls_per_second",
            per_second: limits.calls_per_second_per_caller,
            burst: limits.call_burst_per_caller,
            applies_to: |_| true,
            subject: RateLimitKey::credential,
        },
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_policy_has_its_own_name() {
        let limits = rate_limits(&ServiceLimits::default());
        let names: BTreeSet<_> = limits.iter().map(|limit| limit.policy).collect();
        assert_eq!(names.len(), limits.len());
        // Structured fields quote the name, so it must need no escapes.
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
    }
}
