//! A bounded number of permits, of which each caller can have a part of what is free.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{NoRoom, PARTS};
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
    by_holder: HashMap<ShareHolder, u64>,
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

    /// Acquires permits. A holder with none always gets its first ones while there are any; a caller without
    /// a share has no other limit than the number of all permits.
    pub(crate) fn acquire(&self, holder: Option<ShareHolder>, amount: u64) -> Result<SharedPermit, NoRoom> {
        let mut taken = self.lock();
        let total = taken.total.saturating_add(amount);
        let free = self.capacity.checked_sub(total).ok_or(NoRoom::InAll)?;
        if let Some(holder) = holder {
            let before = taken.by_holder.get(&holder).copied().unwrap_or(0);
            let own = before.saturating_add(amount);
            if before > 0 && own > free / PARTS {
                return Err(NoRoom::InShare);
            }
            taken.by_holder.insert(holder, own);
        }
        taken.total = total;
        Ok(SharedPermit { permits: self.clone(), holder, amount })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().expect("nothing panics while holding this lock")
    }
}

impl Drop for SharedPermit {
    fn drop(&mut self) {
        let mut taken = self.permits.lock();
        taken.total -= self.amount;
        let Some(holder) = self.holder else { return };
        let Some(own) = taken.by_holder.get_mut(&holder) else { return };
        *own -= self.amount;
        if *own == 0 {
            taken.by_holder.remove(&holder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greedy(permits: &SharedPermits, holder: Option<u64>) -> Vec<SharedPermit> {
        std::iter::from_fn(|| permits.acquire(holder.map(ShareHolder), 1).ok()).collect()
    }

    #[test]
    fn one_caller_gets_a_quarter_and_many_leave_some() {
        let permits = SharedPermits::new(1_200);
        let first = greedy(&permits, Some(1));
        assert_eq!(first.len(), 300);
        assert_eq!(permits.acquire(Some(ShareHolder(1)), 1).err(), Some(NoRoom::InShare));
        let others: Vec<_> = (2..=10).map(|holder| greedy(&permits, Some(holder))).collect();
        assert!(greedy(&permits, Some(11)).len() > 10, "a newcomer still gets some");
        drop((first, others));
        let without_share = greedy(&permits, None);
        assert_eq!(without_share.len(), 1_200);
        assert_eq!(permits.acquire(Some(ShareHolder(1)), 1).err(), Some(NoRoom::InAll));
    }

    #[test]
    fn what_is_returned_can_be_taken_again_and_callers_with_nothing_are_forgotten() {
        let permits = SharedPermits::new(4);
        let held = permits.acquire(Some(ShareHolder(7)), 3).expect("the first is always granted");
        assert_eq!(permits.acquire(Some(ShareHolder(7)), 1).err(), Some(NoRoom::InShare));
        assert_eq!(permits.acquire(Some(ShareHolder(8)), 2).err(), Some(NoRoom::InAll));
        drop(held);
        assert_eq!(greedy(&permits, Some(7)).len(), 1);
        let taken = permits.lock();
        assert!(taken.by_holder.is_empty() && taken.total == 0);
    }
}
