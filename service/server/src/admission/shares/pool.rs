//! A bounded resource, and how much of it each holder has.
//!
//! A holder may have one part of what remains free, as in the dynamic thresholds of switches with shared
//! memory. With `PARTS` = 3, one greedy holder gets a quarter of everything, and the next one a quarter of
//! the rest. After ten of them that return nothing, 6 % is left, of which a newcomer gets a quarter.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::account::Account;
use crate::admission::rate_limit_key::LimitSubject;

/// How much a holder may have: what is free, divided by this. Alone, that is a quarter of everything.
const PARTS: usize = 3;

/// A bounded resource; cheap to clone.
pub(crate) struct Pool {
    state: Arc<PoolState>,
}

/// The state that a pool shares with its accounts.
pub(super) struct PoolState {
    capacity: usize,
    held: AtomicUsize,
    accounts: Mutex<HashMap<LimitSubject, Weak<Account>>>,
}

/// Why nothing more can be acquired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exhausted {
    /// Nothing is left.
    Pool,
    /// The holder has its share.
    Share,
}

impl Clone for Pool {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state) }
    }
}

impl Pool {
    /// Creates a pool of so many units.
    pub(crate) fn new(capacity: usize) -> Self {
        let state = PoolState { capacity, held: AtomicUsize::new(0), accounts: Mutex::default() };
        Self { state: Arc::new(state) }
    }

    /// Returns the account of a holder, or a new one without a share for `None`, which only the capacity
    /// limits.
    pub(crate) fn account(&self, holder: Option<LimitSubject>) -> Arc<Account> {
        let new = || Arc::new(Account::new(holder, Arc::clone(&self.state)));
        let Some(key) = holder else { return new() };
        let mut accounts = self.state.accounts();
        if let Some(account) = accounts.get(&key).and_then(Weak::upgrade) {
            return account;
        }
        let account = new();
        accounts.insert(key, Arc::downgrade(&account));
        account
    }
}

impl PoolState {
    /// Takes units of a holder that then has `own` of them, unless they exceed its share. A holder with
    /// nothing always gets its first units while there are any.
    pub(super) fn take(&self, amount: usize, own: Option<usize>) -> Result<(), Exhausted> {
        let held = self.held.fetch_add(amount, Ordering::Relaxed).saturating_add(amount);
        let verdict = match (self.capacity.checked_sub(held), own) {
            (None, _) => Err(Exhausted::Pool),
            (Some(free), Some(own)) if own > amount && own > free / PARTS => Err(Exhausted::Share),
            (Some(_), _) => Ok(()),
        };
        if verdict.is_err() {
            self.give_back(amount);
        }
        verdict
    }

    /// Takes units beyond every limit.
    pub(super) fn take_anyway(&self, amount: usize) {
        self.held.fetch_add(amount, Ordering::Relaxed);
    }

    pub(super) fn give_back(&self, amount: usize) {
        self.held.fetch_sub(amount, Ordering::Relaxed);
    }

    pub(super) fn accounts(&self) -> MutexGuard<'_, HashMap<LimitSubject, Weak<Account>>> {
        // A panic cannot leave an entry half-written.
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::account::Permit;
    use super::*;

    fn greedy(pool: &Pool, holder: u64) -> Vec<Permit> {
        let account = pool.account(Some(LimitSubject::Credential(holder)));
        std::iter::from_fn(|| account.acquire(1).ok()).collect()
    }

    #[test]
    fn one_holder_gets_a_quarter_and_many_leave_some() {
        let pool = Pool::new(1_200);
        let first = greedy(&pool, 1);
        assert_eq!(first.len(), 300);
        assert_eq!(pool.account(Some(LimitSubject::Credential(1))).acquire(1).err(), Some(Exhausted::Share));
        let others: Vec<_> = (2..=10).flat_map(|holder| greedy(&pool, holder)).collect();
        let held = first.len() + others.len();
        assert!((1_100..1_150).contains(&held), "{held}");
        assert!(greedy(&pool, 11).len() > 10, "a newcomer still gets some");
    }

    #[test]
    fn what_is_returned_can_be_taken_again_and_empty_accounts_are_forgotten() {
        let pool = Pool::new(4);
        let held = greedy(&pool, 7);
        assert_eq!(held.len(), 1, "the first is always granted");
        drop(held);
        assert_eq!(greedy(&pool, 7).len(), 1);
        assert!(pool.state.accounts().is_empty());
        let exempt = pool.account(None);
        let all: Vec<_> = std::iter::from_fn(|| exempt.acquire(1).ok()).collect();
        assert_eq!(all.len(), 4);
        assert_eq!(pool.account(Some(LimitSubject::Credential(8))).acquire(1).err(), Some(Exhausted::Pool));
    }

    #[test]
    fn a_permit_grows_within_the_share_or_beyond_it() {
        let pool = Pool::new(1_000);
        let account = pool.account(Some(LimitSubject::Credential(1)));
        let mut permit = account.acquire(100).unwrap();
        permit.grow(100).unwrap();
        assert_eq!(permit.grow(100), Err(Exhausted::Share));
        permit.grow_anyway(500);
        assert_eq!(pool.state.held.load(Ordering::Relaxed), 700);
        drop(permit);
        assert_eq!(pool.state.held.load(Ordering::Relaxed), 0);
    }
}
