//! The list of rate limits: which calls each counts, and by which subject. `rate_limiter` enforces them.

use super::rate_limit_key::{LimitSubject, RateLimitKey};
use crate::limits::ServiceLimits;
use crate::protocol::RpcMethod;

/// A limit on how often one subject makes certain calls.
pub(super) struct RateLimit {
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
            name: "calls_per_second",
            per_second: limits.calls_per_second_per_address,
            burst: limits.call_burst_per_address,
            applies_to: |_| true,
            subject: RateLimitKey::address,
        },
        RateLimit {
            name: "calls_per_second",
            per_second: limits.calls_per_second_per_caller,
            burst: limits.call_burst_per_caller,
            applies_to: |_| true,
            subject: RateLimitKey::credential,
        },
    ]
}
