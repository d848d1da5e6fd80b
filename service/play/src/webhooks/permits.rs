//! Bounds concurrent attempts, in all and per API key, so that the receivers of one app cannot use up the
//! attempts of others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::WebhookLimits;

/// The permits of one replica.
pub(super) struct AttemptPermits {
    all: Arc<Semaphore>,
    per_key: usize,
    keys: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The permit for one attempt.
pub(super) struct AttemptPermit {
    _all: OwnedSemaphorePermit,
    _key: OwnedSemaphorePermit,
}

impl AttemptPermits {
    pub(super) fn new(limits: &WebhookLimits) -> Self {
        let all = Arc::new(Semaphore::new(limits.attempts.min(Semaphore::MAX_PERMITS)));
        let per_key = limits.attempts_per_key.min(Semaphore::MAX_PERMITS);
        Self { all, per_key, keys: Mutex::default() }
    }

    /// Waits for a permit: first for the key's, so that a busy key holds none of the others'.
    pub(super) async fn acquire(&self, owner: &str) -> AttemptPermit {
        let key = self.of_key(owner).acquire_owned().await.expect("nobody closes this semaphore");
        let all = Arc::clone(&self.all).acquire_owned().await.expect("nobody closes this semaphore");
        AttemptPermit { _all: all, _key: key }
    }

    /// Returns a permit if one is free.
    pub(super) fn try_acquire(&self, owner: &str) -> Option<AttemptPermit> {
        let key = self.of_key(owner).try_acquire_owned().ok()?;
        let all = Arc::clone(&self.all).try_acquire_owned().ok()?;
        Some(AttemptPermit { _all: all, _key: key })
    }

    fn of_key(&self, owner: &str) -> Arc<Semaphore> {
        let mut keys = self.keys.lock().expect("nothing panics while holding this lock");
        if let Some(known) = keys.get(owner).and_then(Weak::upgrade) {
            return known;
        }
        keys.retain(|_, permits| permits.strong_count() > 0);
        let permits = Arc::new(Semaphore::new(self.per_key));
        keys.insert(owner.to_owned(), Arc::downgrade(&permits));
        permits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_at_its_limit_leaves_attempts_to_others() {
        let limits = WebhookLimits { attempts: 3, attempts_per_key: 2, ..WebhookLimits::default() };
        let permits = AttemptPermits::new(&limits);
        let held = [permits.try_acquire("shop"), permits.try_acquire("shop")];
        assert!(held.iter().all(Option::is_some));
        assert!(permits.try_acquire("shop").is_none());
        let other = permits.try_acquire("rival");
        assert!(other.is_some());
        assert!(permits.try_acquire("third").is_none(), "three attempts are the limit of all");
        drop(held);
        assert!(permits.try_acquire("shop").is_some());
    }
}
