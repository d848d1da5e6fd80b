//! A bounded number of permits, of which each caller and each network can have a part of what is free.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{Bearer, NoRoom};
use crate::ShareHolder;

/// A bounded number of permits; cheap to clone.
#[derive(Clone)]
pub(crate) struct SharedPermits {
    capacity: u64,
    taken: Arc<Mutex<Taken>>,
}

/// The permits that are taken.
#[derive(Default)]
struct Taken {
    total: u64,
    /// Callers without a share are not among them, and neither are those with nothing.
    by_bearer: HashMap<Bearer, u64>,
}

/// Permits that are returned on drop.
pub(crate) struct SharedPermit {
    permits: SharedPermits,
    holder: Option<ShareHolder>,
    amount: u64,
}

impl SharedPermits {
    pub(crate) fn new(capacity: u64) -> Self {
        Self { capacity, taken: Arc::default() }
    }

    /// Acquires permits. A caller or network with none always gets its first ones while there are any; a
    /// caller without a share has no other limit than the number of all permits.
    pub(crate) fn acquire(&self, holder: Option<ShareHolder>, amount: u64) -> Result<SharedPermit, NoRoom> {
        let mut taken = self.lock();
        let total = taken.total.saturating_add(amount);
        let free = self.capacity.checked_sub(total).ok_or(NoRoom::InAll)?;
        let bearers = holder.into_iter().flat_map(ShareHolder::bearers);
        if bearers.clone().any(|bearer| taken.is_beyond_share(bearer, amount, free)) {
            return Err(NoRoom::InShare);
        }
        for bearer in bearers {
            *taken.by_bearer.entry(bearer).or_default() += amount;
        }
        taken.total = total;
        Ok(SharedPermit { permits: self.clone(), holder, amount })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().expect("nothing panics while holding this lock")
    }
}

impl Taken {
    /// Returns whether so many more permits, after which so many are free, exceed the share of a bearer.
    fn is_beyond_share(&self, bearer: Bearer, amount: u64, free: u64) -> bool {
        let own = self.by_bearer.get(&bearer).copied();
        own.is_some_and(|own| own > 0 && own.saturating_add(amount) > bearer.share_of_free(free))
    }

    fn give_back(&mut self, bearer: Bearer, amount: u64) {
        let Some(own) = self.by_bearer.get_mut(&bearer) else { return };
        *own -= amount;
        if *own == 0 {
            self.by_bearer.remove(&bearer);
        }
    }
}

impl Drop for SharedPermit {
    fn drop(&mut self) {
        let mut taken = self.permits.lock();
        taken.total -= self.amount;
        for bearer in self.holder.into_iter().flat_map(ShareHolder::bearers) {
            taken.give_back(bearer, self.amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greedy(permits: &SharedPermits, holder: Option<u64>) -> Vec<SharedPermit> {
        std::iter::from_fn(|| permits.acquire(holder.map(ShareHolder::new), 1).ok()).collect()
    }

    #[test]
    fn one_caller_gets_a_quarter_and_many_leave_some() {
        let permits = SharedPermits::new(1_200);
        let first = greedy(&permits, Some(1));
        assert_eq!(first.len(), 300);
        assert_eq!(permits.acquire(Some(ShareHolder::new(1)), 1).err(), Some(NoRoom::InShare));
        let others: Vec<_> = (2..=10).map(|holder| greedy(&permits, Some(holder))).collect();
        assert!(greedy(&permits, Some(11)).len() > 10, "a newcomer still gets some");
        drop((first, others));
        let without_share = greedy(&permits, None);
        assert_eq!(without_share.len(), 1_200);
        assert_eq!(permits.acquire(Some(ShareHolder::new(1)), 1).err(), Some(NoRoom::InAll));
    }

    #[test]
    fn many_callers_of_one_network_get_half() {
        let permits = SharedPermits::new(1_200);
        let of_network = |network: u64| {
            let callers = (0..100).map(move |caller| ShareHolder::new(network << 8 | caller).within(network));
            let permits = &permits;
            let greedy = |holder| std::iter::from_fn(move || permits.acquire(Some(holder), 1).ok());
            callers.flat_map(greedy).collect::<Vec<_>>()
        };
        let first = of_network(1);
        assert_eq!(first.len(), 600);
        assert_eq!(greedy(&permits, Some(1)).len(), 150, "a caller elsewhere has its share of the rest");
        let second = of_network(2);
        assert_eq!(second.len(), 300);
        drop((first, second));
        assert!(permits.lock().by_bearer.is_empty());
    }

    #[test]
    fn what_is_returned_can_be_taken_again_and_callers_with_nothing_are_forgotten() {
        let permits = SharedPermits::new(4);
        let held = permits.acquire(Some(ShareHolder::new(7)), 3).expect("the first is always granted");
        assert_eq!(permits.acquire(Some(ShareHolder::new(7)), 1).err(), Some(NoRoom::InShare));
        assert_eq!(permits.acquire(Some(ShareHolder::new(8)), 2).err(), Some(NoRoom::InAll));
        drop(held);
        assert_eq!(greedy(&permits, Some(7)).len(), 1);
        let taken = permits.lock();
        assert!(taken.by_bearer.is_empty() && taken.total == 0);
    }
}
