//! Counts the open streams of each caller. `play` limits all streams together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use play::Refusal;
use wire::v1::ErrorReason;

use super::rate_limit_key::{LimitSubject, RateLimitKey};

/// When a caller at its limit may try again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The number of open streams by caller; cheap to clone.
#[derive(Clone)]
pub(crate) struct CallerStreams {
    max_per_caller: usize,
    open: Arc<Mutex<HashMap<LimitSubject, usize>>>,
}

/// A permit for one stream, returned on drop.
pub(crate) struct CallerStreamPermit {
    streams: CallerStreams,
    /// `None` for callers that are exempt.
    holder: Option<LimitSubject>,
}

impl CallerStreams {
    /// Creates the counts with a limit per caller.
    pub(crate) fn new(max_per_caller: usize) -> Self {
        Self { max_per_caller, open: Arc::default() }
    }

    /// Acquires a permit for one more stream, or refuses it as `TOO_MANY_STREAMS`.
    pub(crate) fn acquire(&self, key: RateLimitKey) -> Result<CallerStreamPermit, Refusal> {
        let Some(holder) = key.api_key_or_address() else {
            return Ok(CallerStreamPermit { streams: self.clone(), holder: None });
        };
        let mut open = self.lock();
        let count = open.entry(holder).or_insert(0);
        if *count >= self.max_per_caller {
            let message =
                format!("this caller has {} open watches, the maximum; close one first", self.max_per_caller);
            return Err(Refusal::new(ErrorReason::TooManyStreams, message).retry_after(RETRY_AFTER));
        }
        *count += 1;
        Ok(CallerStreamPermit { streams: self.clone(), holder: Some(holder) })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<LimitSubject, usize>> {
        // A panic cannot leave a count half-written.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CallerStreamPermit {
    fn drop(&mut self) {
        let Some(holder) = self.holder else { return };
        let mut open = self.streams.lock();
        match open.get_mut(&holder) {
            Some(count) if *count > 1 => *count -= 1,
            // Callers without open streams take no memory.
            _ => drop(open.remove(&holder)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listener::ClientAddress;

    #[test]
    fn each_caller_has_its_own_permits_and_gets_them_back() {
        let streams = CallerStreams::new(2);
        let address = |token| RateLimitKey::Address(ClientAddress::Remote([192, 0, 2, 1].into()), token);
        let first = streams.acquire(address(None)).unwrap();
        let _second = streams.acquire(address(Some(7))).unwrap();
        let refusal = streams.acquire(address(Some(8))).err().unwrap();
        assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
        let key = streams.acquire(RateLimitKey::ApiKey(7)).unwrap();
        let local: Vec<_> = (0..10).map(|_| streams.acquire(RateLimitKey::Local).unwrap()).collect();
        drop(first);
        drop(local);
        let _third = streams.acquire(address(None)).unwrap();
        assert!(streams.acquire(address(None)).is_err());
        drop(key);
        assert_eq!(streams.lock().len(), 1, "callers without open streams are removed");
    }
}
