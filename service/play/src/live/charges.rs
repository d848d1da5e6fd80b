//! What the watches of each caller and of each network keep in memory. One caller can take a part of the room
//! for live matches, never all of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use event::MatchId;

use super::LiveMatch;
use crate::ShareHolder;
use crate::shares::{Bearer, NoRoom};

/// The watched matches of all callers that have a share.
pub(super) struct Charges {
    /// Bytes of all live matches beyond which no more may be watched.
    max_bytes: u64,
    accounts: Mutex<HashMap<Bearer, Account>>,
}

/// The watched matches of one caller or network, each charged once, however many watches it has of it.
#[derive(Default)]
struct Account(HashMap<MatchId, Charged>);

/// A match that is charged to a caller.
struct Charged {
    live: Arc<LiveMatch>,
    watches: usize,
}

/// A watch that is charged to its caller until it is dropped.
pub(crate) struct WatchCharge {
    match_id: MatchId,
    /// `None` for a caller without a share.
    holder: Option<ShareHolder>,
    charges: Arc<Charges>,
}

impl Charges {
    pub(super) fn new(max_bytes: u64) -> Self {
        Self { max_bytes, accounts: Mutex::default() }
    }

    /// Charges a watch to its caller, if there is room while all live matches take `bytes`.
    pub(super) fn charge(
        self: &Arc<Self>,
        holder: Option<ShareHolder>,
        live: &Arc<LiveMatch>,
        bytes: u64,
    ) -> Result<WatchCharge, NoRoom> {
        let mut accounts = self.lock();
        let free = self.max_bytes.checked_sub(bytes);
        let bearers = holder.into_iter().flat_map(ShareHolder::bearers);
        if holder.is_none() && free.is_none() {
            return Err(NoRoom::InAll);
        }
        bearers.clone().try_for_each(|bearer| check_room(&accounts, bearer, live, free))?;
        bearers.for_each(|bearer| accounts.entry(bearer).or_default().add(live));
        Ok(WatchCharge { match_id: live.match_id, holder, charges: Arc::clone(self) })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Bearer, Account>> {
        self.accounts.lock().expect("nothing panics while holding this lock")
    }
}

/// Refuses a match that would exceed what is free or what a bearer may keep. A match that it watches already
/// takes nothing more, and the first one is always within its share.
fn check_room(
    accounts: &HashMap<Bearer, Account>,
    bearer: Bearer,
    live: &LiveMatch,
    free: Option<u64>,
) -> Result<(), NoRoom> {
    let account = accounts.get(&bearer);
    if account.is_some_and(|account| account.0.contains_key(&live.match_id)) {
        return Ok(());
    }
    let share = bearer.share_of_free(free.ok_or(NoRoom::InAll)?);
    match account {
        Some(account) if account.bytes().saturating_add(live.bytes()) > share => Err(NoRoom::InShare),
        Some(_) | None => Ok(()),
    }
}

impl Account {
    fn add(&mut self, live: &Arc<LiveMatch>) {
        let new = || Charged { live: Arc::clone(live), watches: 0 };
        self.0.entry(live.match_id).or_insert_with(new).watches += 1;
    }

    fn remove(&mut self, match_id: MatchId) {
        let Some(charged) = self.0.get_mut(&match_id) else { return };
        charged.watches -= 1;
        if charged.watches == 0 {
            self.0.remove(&match_id);
        }
    }

    /// Returns what the matches weigh now: they may have grown since they were charged.
    fn bytes(&self) -> u64 {
        self.0.values().fold(0, |sum, charged| sum.saturating_add(charged.live.bytes()))
    }
}

impl WatchCharge {
    /// Returns whether all live matches, which take `bytes`, are too many because those that the caller or
    /// its network watches have grown beyond its share.
    pub(super) fn is_overdrawn(&self, bytes: u64) -> bool {
        let max_bytes = self.charges.max_bytes;
        let Some(holder) = self.holder.filter(|_| bytes > max_bytes) else { return false };
        let accounts = self.charges.lock();
        holder.bearers().any(|bearer| {
            let exceeds = |account: &Account| account.bytes() > bearer.share_of_all(max_bytes);
            accounts.get(&bearer).is_some_and(|account| account.0.len() > 1 && exceeds(account))
        })
    }
}

impl Drop for WatchCharge {
    fn drop(&mut self) {
        let mut accounts = self.charges.lock();
        for bearer in self.holder.into_iter().flat_map(ShareHolder::bearers) {
            let Some(account) = accounts.get_mut(&bearer) else { continue };
            account.remove(self.match_id);
            if account.0.is_empty() {
                accounts.remove(&bearer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Weak;

    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_caller_without_watches_leaves_no_account() {
        let charges = Arc::new(Charges::new(1 << 20));
        let live = |id| Arc::new(LiveMatch::new(MatchId(Uuid::from_u128(id)), Weak::new()));
        let (first, second) = (live(1), live(2));
        let holder = ShareHolder::new(1).within(9);
        let charge = |live| charges.charge(Some(holder), live, 0).unwrap();
        let held = [charge(&first), charge(&first), charge(&second)];
        assert_eq!(Arc::strong_count(&first), 3, "charged once to the caller and once to its network");
        assert_eq!(charges.charge(Some(ShareHolder::new(2)), &first, 2 << 20).err(), Some(NoRoom::InAll));
        assert_eq!(charges.lock().len(), 2, "a refused caller has no account");
        assert!(!held[2].is_overdrawn(2 << 20), "matches that take nothing are within the share");
        drop(held);
        assert!(charges.lock().is_empty());
        assert_eq!(Arc::strong_count(&first), 1);
    }
}
