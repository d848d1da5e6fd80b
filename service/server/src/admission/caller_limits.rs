//! The rate limits of all callers: one count per request, whatever its protocol.

use std::sync::Arc;

use governor::clock::DefaultClock;
use http::{Extensions, Request};
use play::Refusal;

use super::rate_limit_fields::RateLimitFields;
use super::rate_limit_key::{RateLimitKey, RateLimitKeys};
use super::rate_limiter::RateLimiter;
use crate::limits::ServiceLimits;
use crate::protocol::{MethodKind, RpcMethod};

/// The rate limits of all callers; cheap to clone.
#[derive(Clone)]
pub(crate) struct CallerLimits {
    state: Arc<(RateLimitKeys, RateLimiter)>,
}

impl CallerLimits {
    /// Creates the limits with full budgets.
    pub(crate) fn new(limits: &ServiceLimits, keys: RateLimitKeys) -> Self {
        Self { state: Arc::new((keys, RateLimiter::new(limits, &DefaultClock::default()))) }
    }

    /// Counts a request, or refuses it as `RATE_LIMITED`. Leaves its key in its extensions; a request that
    /// has one is counted already, since each REST request becomes a call. Also leaves who bears its part of
    /// what all callers share. Health checks do not count.
    pub(crate) fn count<B>(
        &self,
        method: &RpcMethod,
        request: &mut Request<B>,
        fields: &mut RateLimitFields,
    ) -> Result<(), Refusal> {
        let (keys, limiter) = &*self.state;
        if method.kind == MethodKind::Health || Self::key(request.extensions()).is_some() {
            return Ok(());
        }
        let key = keys.of(request);
        limiter.check(method, key, fields)?;
        request.extensions_mut().insert(key);
        if let Some(holder) = keys.share_holder(key) {
            request.extensions_mut().insert(holder);
        }
        Ok(())
    }

    /// Returns the key of a message that a stream's caller sends for the seat of this token.
    pub(super) fn key_of_seat(&self, caller: RateLimitKey, token: &str) -> RateLimitKey {
        self.state.0.of_seat(caller, token)
    }

    /// Counts a message of a stream, or refuses it as `RATE_LIMITED`.
    pub(super) fn count_message(&self, method: &RpcMethod, key: RateLimitKey) -> Result<(), Refusal> {
        self.state.1.check(method, key, &mut RateLimitFields::default())
    }

    /// Makes a request count again, for a further call.
    pub(crate) fn count_again(extensions: &mut Extensions) {
        extensions.remove::<RateLimitKey>();
    }

    /// Returns the key of a request that was counted.
    pub(super) fn key(extensions: &Extensions) -> Option<RateLimitKey> {
        extensions.get().copied()
    }
}
