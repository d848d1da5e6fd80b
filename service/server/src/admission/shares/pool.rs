//! A bounded resource, and how much of it each holder has.
//!
//! A holder may have one part of what remains free, as in the dynamic thresholds of switches with shared
//! memory. With `PARTS` = 3, one greedy holder gets a quarter of everything, and the next one a quarter of
//! the rest. After ten of them that return nothing, 6 % is left, of which a newcomer gets a quarter. All
//! holders of one network together may have as much as is free: half of everything, if it is the only one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::account::Account;
use crate::admission::rate_limit_key::LimitSubject;

/// How much a holder may have: what is free, divided by this. Alone, that is a quarter of everything.
const PARTS: usize = 3;

/// The same for all holders of a network.
const NETWORK_PARTS: usize = 1;

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
    /// The holder or its network has its share.
    Share,
}

/// Whose share a limit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// One holder's.
    Holder,
    /// That of all holders in a network.
    Network,
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
    /// limits. An address in a network has part in the network's account.
    pub(crate) fn account(&self, holder: Option<LimitSubject>) -> Arc<Account> {
        let network = holder.and_then(LimitSubject::network).map(|network| self.account(Some(network)));
        let new = || Arc::new(Account::new(holder, network.clone(), Arc::clone(&self.state)));
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

impl Share {
    fn of_free(self, free: usize) -> usize {
        match self {
            Self::Holder => free / PARTS,
            Self::Network => free / NETWORK_PARTS,
        }
    }
}

impl PoolState {
    /// Takes units, after which the shares have so many of them, unless they exceed one. A share with nothing
    /// in it always gets its first units while there are any.
    pub(super) fn take(
        &self,
        amount: usize,
        mut own: impl Iterator<Item = (Share, usize)>,
    ) -> Result<(), Exhausted> {
        let held = self.held.fetch_add(amount, Ordering::Relaxed).saturating_add(amount);
        let exceeds = |free, (share, own): (Share, usize)| own > amount && own > share.of_free(free);
        let verdict = match self.capacity.checked_sub(held) {
            None => Err(Exhausted::Pool),
            Some(free) if own.any(|own| exceeds(free, own)) => Err(Exhausted::Share),
            Some(_) => Ok(()),
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
    use std::net::Ipv6Addr;

    use super::super::account::Permit;
    use super::*;
    use crate::listener::ClientAddress;

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
    fn many_addresses_of_one_network_get_half() {
        let pool = Pool::new(1_200);
        let account = |network: u16, subnet| {
            let address = Ipv6Addr::new(0x2001, 0xdb8, network, subnet, 0, 0, 0, 0);
            pool.account(Some(LimitSubject::Address(ClientAddress::Remote(address.into()))))
        };
        let of_network = |network| {
            let greedy = |account: Arc<Account>| std::iter::from_fn(move || account.acquire(1).ok());
            (0..100).flat_map(|subnet| greedy(account(network, subnet))).collect::<Vec<_>>()
        };
        let first = of_network(1);
        assert_eq!(first.len(), 600);
        let elsewhere = greedy(&pool, 1);
        assert_eq!(elsewhere.len(), 150, "a holder elsewhere has its share of the rest");
        assert_eq!(of_network(2).len(), 225);
        let mut permit = first.into_iter().next().unwrap();
        permit.grow_anyway(600);
        let refused = account(1, 200).acquire(1).err();
        assert_eq!(refused, Some(Exhausted::Share), "growth counts for the network as well");
        drop((permit, elsewhere));
        assert_eq!(pool.state.held.load(Ordering::Relaxed), 0);
        assert!(pool.state.accounts().is_empty());
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
