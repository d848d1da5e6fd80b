//! What one holder has of a pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::pool::{Exhausted, PoolState};
use crate::admission::rate_limit_key::LimitSubject;

/// The account of one holder.
pub(crate) struct Account {
    /// `None` without a share.
    holder: Option<LimitSubject>,
    held: AtomicUsize,
    pool: Arc<PoolState>,
}

/// Units of a pool, returned on drop.
pub(crate) struct Permit {
    account: Arc<Account>,
    amount: usize,
}

impl Account {
    pub(super) fn new(holder: Option<LimitSubject>, pool: Arc<PoolState>) -> Self {
        Self { holder, held: AtomicUsize::new(0), pool }
    }

    /// Acquires units within the pool's capacity and the holder's share.
    pub(crate) fn acquire(self: &Arc<Self>, amount: usize) -> Result<Permit, Exhausted> {
        self.take(amount)?;
        Ok(Permit { account: Arc::clone(self), amount })
    }

    /// Returns how much the holder has.
    pub(crate) fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// Returns a permit for nothing, which can grow.
    pub(crate) fn nothing(self: &Arc<Self>) -> Permit {
        Permit { account: Arc::clone(self), amount: 0 }
    }

    fn take(&self, amount: usize) -> Result<(), Exhausted> {
        let own = self.held.fetch_add(amount, Ordering::Relaxed).saturating_add(amount);
        let taken = self.pool.take(amount, self.holder.map(|_| own));
        if taken.is_err() {
            self.held.fetch_sub(amount, Ordering::Relaxed);
        }
        taken
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        let Some(holder) = self.holder else { return };
        let mut accounts = self.pool.accounts();
        // The holder may have a new account already.
        if accounts.get(&holder).is_some_and(|account| account.strong_count() == 0) {
            accounts.remove(&holder);
        }
    }
}

impl Permit {
    /// Acquires more units.
    pub(crate) fn grow(&mut self, amount: usize) -> Result<(), Exhausted> {
        self.account.take(amount)?;
        self.amount += amount;
        Ok(())
    }

    /// Acquires more units beyond every limit, for what has to be kept in any case.
    pub(crate) fn grow_anyway(&mut self, amount: usize) {
        self.account.held.fetch_add(amount, Ordering::Relaxed);
        self.account.pool.take_anyway(amount);
        self.amount += amount;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.account.held.fetch_sub(self.amount, Ordering::Relaxed);
        self.account.pool.give_back(self.amount);
    }
}
