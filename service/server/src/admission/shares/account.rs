//! What one holder has of a pool.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::pool::{Exhausted, PoolState, Share};
use crate::admission::rate_limit_key::LimitSubject;

/// The account of one holder.
pub(crate) struct Account {
    /// `None` without a share.
    holder: Option<LimitSubject>,
    /// The account of the holder's network, which has what its holders have.
    network: Option<Arc<Account>>,
    held: AtomicUsize,
    pool: Arc<PoolState>,
}

/// Units of a pool, returned on drop.
pub(crate) struct Permit {
    account: Arc<Account>,
    amount: usize,
}

impl Account {
    pub(super) fn new(
        holder: Option<LimitSubject>,
        network: Option<Arc<Self>>,
        pool: Arc<PoolState>,
    ) -> Self {
        Self { holder, network, held: AtomicUsize::new(0), pool }
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

    /// Returns how much the holder's network has, if it is in one.
    pub(crate) fn held_by_network(&self) -> Option<usize> {
        self.network.as_ref().map(|network| network.held())
    }

    /// Returns a permit for nothing, which can grow.
    pub(crate) fn nothing(self: &Arc<Self>) -> Permit {
        Permit { account: Arc::clone(self), amount: 0 }
    }

    fn take(&self, amount: usize) -> Result<(), Exhausted> {
        let own = self.note(amount);
        let taken = self.pool.take(amount, own);
        if taken.is_err() {
            self.forget(amount);
        }
        taken
    }

    /// Notes that the holder and its network have so much more, and returns what each with a share has.
    fn note(&self, amount: usize) -> impl Iterator<Item = (Share, usize)> {
        let add = |held: &AtomicUsize| held.fetch_add(amount, Ordering::Relaxed).saturating_add(amount);
        let own = add(&self.held);
        let of_network = self.network.as_ref().map(|network| (Share::Network, add(&network.held)));
        self.holder.map(|_| (Share::Holder, own)).into_iter().chain(of_network)
    }

    fn forget(&self, amount: usize) {
        for account in iter::once(self).chain(self.network.as_deref()) {
            account.held.fetch_sub(amount, Ordering::Relaxed);
        }
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

    /// Returns units.
    pub(crate) fn shrink(&mut self, amount: usize) {
        let amount = amount.min(self.amount);
        self.account.forget(amount);
        self.account.pool.give_back(amount);
        self.amount -= amount;
    }

    /// Acquires more units beyond every limit, for what has to be kept in any case.
    pub(crate) fn grow_anyway(&mut self, amount: usize) {
        let _ = self.account.note(amount);
        self.account.pool.take_anyway(amount);
        self.amount += amount;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.account.forget(self.amount);
        self.account.pool.give_back(self.amount);
    }
}
