//! The response fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): the
//! limits that a call counted for, and how much is left of each. Over gRPC they are metadata.

use governor::middleware::StateSnapshot;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::rate_limits::RateLimit;

/// The field with the limits.
pub(crate) const POLICY_FIELD: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The field with what is left of them.
pub(crate) const STATE_FIELD: HeaderName = HeaderName::from_static("ratelimit");

/// The limits that a call counted for, in the order of their checks. Empty if the caller is exempt.
#[derive(Debug, Clone, Default)]
pub(crate) struct RateLimitFields(Vec<LimitState>);

/// A limit and what is left of it.
#[derive(Debug, Clone, Copy)]
struct LimitState {
    policy: &'static str,
    /// Calls at once.
    burst: u32,
    per_second: u32,
    remaining: u32,
}

impl RateLimitFields {
    /// Adds a limit that admitted the call.
    pub(super) fn admitted(&mut self, limit: &RateLimit, snapshot: &StateSnapshot) {
        self.add(limit, snapshot.remaining_burst_capacity());
    }

    /// Adds the limit that refused the call.
    pub(super) fn refused(&mut self, limit: &RateLimit) {
        self.add(limit, 0);
    }

    fn add(&mut self, limit: &RateLimit, remaining: u32) {
        let RateLimit { policy, per_second, .. } = *limit;
        self.0.push(LimitState { policy, burst: limit.burst.max(1), per_second, remaining });
    }

    /// Adds the fields to a response, unless no limit applies or a later call has added them.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        if self.0.is_empty() || headers.contains_key(POLICY_FIELD) {
            return;
        }
        headers.insert(POLICY_FIELD, self.list(LimitState::policy));
        headers.insert(STATE_FIELD, self.list(LimitState::state));
    }

    fn list(&self, item: fn(&LimitState) -> String) -> HeaderValue {
        let items: Vec<String> = self.0.iter().map(item).collect();
        HeaderValue::try_from(items.join(", ")).expect("names of policies and numbers are a header value")
    }
}

impl LimitState {
    /// Returns the item of `RateLimit-Policy`: quota `q` in a window of `w` seconds, in which an empty bucket
    /// fills.
    fn policy(&self) -> String {
        format!("\"{}\";q={};w={}", self.policy, self.burst, self.seconds_for(self.burst))
    }

    /// Returns the item of `RateLimit`: `r` calls are left, and in `t` seconds all of the quota.
    fn state(&self) -> String {
        let missing = self.burst.saturating_sub(self.remaining);
        format!("\"{}\";r={};t={}", self.policy, self.remaining, self.seconds_for(missing))
    }

    /// Returns the time in which the bucket gains so many calls, rounded up.
    fn seconds_for(&self, calls: u32) -> u32 {
        calls.div_ceil(self.per_second.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_list_each_limit() {
        let state = |policy, remaining| LimitState { policy, burst: 400, per_second: 100, remaining };
        let fields = RateLimitFields(vec![state("address", 400), state("caller", 149)]);
        let mut headers = HeaderMap::new();
        fields.add_to(&mut headers);
        assert_eq!(headers["ratelimit-policy"], "\"address\";q=400;w=4, \"caller\";q=400;w=4");
        assert_eq!(headers["ratelimit"], "\"address\";r=400;t=0, \"caller\";r=149;t=3");
    }

    #[test]
    fn an_exempt_caller_gets_none() {
        let mut headers = HeaderMap::new();
        RateLimitFields::default().add_to(&mut headers);
        assert!(headers.is_empty());
    }
}
