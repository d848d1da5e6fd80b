//! Bytes per hour of each caller and of each network: budgets that fill evenly. A bounded number of callers
//! and networks is remembered; the least recently seen one is forgotten, and with it what it spent.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::time::Instant;

use super::Bearer;
use crate::ShareHolder;

/// Maximum callers and networks that are remembered.
const MAX_BEARERS: usize = 65_536;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// What each caller may spend in an hour.
pub(crate) struct HourlyBytes {
    /// 0 for no limit.
    pub per_hour: u64,
    accounts: Cache<Bearer, Arc<Mutex<Account>>>,
}

/// What one caller or network has spent and not earned again since.
struct Account {
    per_hour: u64,
    bytes: u64,
    settled: Instant,
}

/// Spent bytes, which are given back on drop unless they are kept.
pub(crate) struct SpentBytes {
    /// None for a caller without a limit.
    accounts: Vec<Arc<Mutex<Account>>>,
    bytes: u64,
}

impl HourlyBytes {
    pub(crate) fn new(per_hour: u64) -> Self {
        Self { per_hour, accounts: Cache::new(MAX_BEARERS) }
    }

    /// Spends bytes of the caller and of its network, or returns how long to wait for them. More than a whole
    /// hour's are granted to one that has spent nothing.
    pub(crate) fn spend(&self, holder: Option<ShareHolder>, bytes: u64) -> Result<SpentBytes, Duration> {
        let mut spent = SpentBytes { accounts: Vec::new(), bytes };
        let limited = holder.filter(|_| self.per_hour > 0);
        for bearer in limited.into_iter().flat_map(ShareHolder::bearers) {
            let account = self.account(bearer);
            lock(&account).spend(bytes)?;
            spent.accounts.push(account);
        }
        Ok(spent)
    }

    fn account(&self, bearer: Bearer) -> Arc<Mutex<Account>> {
        let new = || Ok::<_, Infallible>(Arc::new(Mutex::new(Account::new(bearer.allowance(self.per_hour)))));
        let Ok(account) = self.accounts.get_or_insert_with(&bearer, new);
        account
    }
}

impl Account {
    fn new(per_hour: u64) -> Self {
        Self { per_hour, bytes: 0, settled: Instant::now() }
    }

    /// Spends bytes, or returns how long to wait for them.
    fn spend(&mut self, bytes: u64) -> Result<(), Duration> {
        self.settle();
        let excess = self.bytes.saturating_add(bytes).saturating_sub(self.per_hour).min(self.bytes);
        if excess > 0 {
            return Err(self.time_for(excess));
        }
        self.bytes = self.bytes.saturating_add(bytes);
        Ok(())
    }

    /// Returns how long it takes to earn bytes, in full seconds.
    fn time_for(&self, bytes: u64) -> Duration {
        let seconds = u128::from(bytes) * u128::from(HOUR.as_secs()) / u128::from(self.per_hour) + 1;
        Duration::from_secs(u64::try_from(seconds).unwrap_or(u64::MAX))
    }

    /// Takes off the full bytes that were earned since the account was settled last.
    fn settle(&mut self) {
        let elapsed = self.settled.elapsed().as_nanos();
        let earned = u128::from(self.per_hour).saturating_mul(elapsed) / HOUR.as_nanos();
        let nanos = earned * HOUR.as_nanos() / u128::from(self.per_hour);
        self.bytes = self.bytes.saturating_sub(u64::try_from(earned).unwrap_or(u64::MAX));
        self.settled += Duration::from_nanos(u64::try_from(nanos).unwrap_or(0));
    }
}

impl SpentBytes {
    /// Keeps the bytes spent.
    pub(crate) fn keep(mut self) {
        self.accounts.clear();
    }
}

impl Drop for SpentBytes {
    fn drop(&mut self) {
        for account in &self.accounts {
            let mut spent = lock(account);
            spent.bytes = spent.bytes.saturating_sub(self.bytes);
        }
    }
}

fn lock(account: &Mutex<Account>) -> MutexGuard<'_, Account> {
    account.lock().expect("nothing panics while holding this lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Option<ShareHolder> = Some(ShareHolder::new(1));

    #[tokio::test(start_paused = true)]
    async fn a_caller_spends_its_bytes_at_once_and_earns_them_again_evenly() {
        let budget = HourlyBytes::new(3_600);
        budget.spend(FIRST, 3_600).ok().unwrap().keep();
        let wait = budget.spend(FIRST, 36).err().unwrap();
        assert_eq!(wait.as_secs(), 37);
        budget.spend(Some(ShareHolder::new(2)), 3_600).ok().unwrap().keep();
        for _ in 0..35 {
            tokio::time::advance(Duration::from_millis(999)).await;
            assert!(budget.spend(FIRST, 36).is_err());
        }
        tokio::time::advance(wait - Duration::from_millis(999) * 35).await;
        budget.spend(FIRST, 36).ok().unwrap().keep();
        tokio::time::advance(2 * HOUR).await;
        assert!(budget.spend(FIRST, 3_600).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_that_were_not_needed_are_given_back() {
        let budget = HourlyBytes::new(100);
        let spent = budget.spend(FIRST, 100).ok().unwrap();
        assert!(budget.spend(FIRST, 1).is_err());
        drop(spent);
        assert!(budget.spend(FIRST, 100).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn more_than_an_hours_bytes_are_granted_to_a_caller_that_has_spent_none() {
        let budget = HourlyBytes::new(100);
        budget.spend(FIRST, 250).ok().unwrap().keep();
        assert_eq!(budget.spend(FIRST, 1).err().unwrap().as_secs(), 151 * 36 + 1);
        tokio::time::advance(HOUR).await;
        assert!(budget.spend(FIRST, 250).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_spends_as_much_as_eight_callers() {
        let budget = HourlyBytes::new(100);
        let spend = |caller, network| {
            let holder = ShareHolder::new(caller).within(network);
            budget.spend(Some(holder), 100).map(SpentBytes::keep)
        };
        let granted = (0..50).filter(|caller| spend(*caller, 1).is_ok()).count();
        assert_eq!(granted, 8);
        assert_eq!(spend(50, 1).err().unwrap().as_secs(), 451);
        spend(51, 2).unwrap();
        // What its network refused did not use up a caller's own.
        tokio::time::advance(Duration::from_secs(451)).await;
        spend(50, 1).unwrap();
    }

    #[test]
    fn zero_means_no_limit_and_so_does_a_caller_without_a_share() {
        for (budget, holder) in [(HourlyBytes::new(0), FIRST), (HourlyBytes::new(1), None)] {
            for _ in 0..10 {
                budget.spend(holder, u64::MAX).ok().unwrap().keep();
            }
        }
    }
}
