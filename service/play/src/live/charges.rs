//! What the watches of each caller keep in memory. One caller can take a part of the room for live matches,
//! never all of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use event::MatchId;

use super::LiveMatch;
use crate::ShareHolder;
use crate::shares::{NoRoom, PARTS};

/// The watched matches of all callers that have a share.
pub(super) struct Charges {
    /// Bytes of all live matches beyond which no more may be watched.
    max_bytes: u64,
    accounts: Mutex<HashMap<ShareHolder, Account>>,
}

/// The watched matches of one caller, each charged once, however many watches it has of it.
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
        let account = holder.and_then(|holder| accounts.get(&holder));
        self.check_room(account, live, bytes)?;
        if let Some(holder) = holder {
            accounts.entry(holder).or_default().add(live);
        }
        Ok(WatchCharge { match_id: live.match_id, holder, charges: Arc::clone(self) })
    }

    /// Refuses a match that would exceed what is free or what the caller may keep. A match that the caller
    /// watches already takes nothing more, and the first one is always within its share.
    fn check_room(&self, account: Option<&Account>, live: &LiveMatch, bytes: u64) -> Result<(), NoRoom> {
        if account.is_some_and(|account| account.0.contains_key(&live.match_id)) {
            return Ok(());
        }
        let free = self.max_bytes.checked_sub(bytes).ok_or(NoRoom::InAll)?;
        match account {
            Some(account) if account.bytes().saturating_add(live.bytes()) > free / PARTS => {
                Err(NoRoom::InShare)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ShareHolder, Account>> {
        self.accounts.lock().expect("nothing panics while holding this lock")
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
    /// Returns whether all live matches, which take `bytes`, are too many because those that the caller
    /// watches have grown beyond its share.
    pub(super) fn is_overdrawn(&self, bytes: u64) -> bool {
        let Some(holder) = self.holder.filter(|_| bytes > self.charges.max_bytes) else { return false };
        let accounts = self.charges.lock();
        let share = self.charges.max_bytes / (PARTS + 1);
        accounts.get(&holder).is_some_and(|account| account.0.len() > 1 && account.bytes() > share)
    }
}

impl Drop for WatchCharge {
    fn drop(&mut self) {
        let Some(holder) = self.holder else { return };
        let mut accounts = self.charges.lock();
        let Some(account) = accounts.get_mut(&holder) else { return };
        account.remove(self.match_id);
        if account.0.is_empty() {
            accounts.remove(&holder);
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
        let charge = |live| charges.charge(Some(ShareHolder(1)), live, 0).unwrap();
        let held = [charge(&first), charge(&first), charge(&second)];
        assert_eq!(Arc::strong_count(&first), 2, "charged once");
        assert_eq!(charges.charge(Some(ShareHolder(2)), &first, 2 << 20).err(), Some(NoRoom::InAll));
        assert_eq!(charges.lock().len(), 1, "a refused caller has no account");
        drop(held);
        assert!(charges.lock().is_empty());
        assert_eq!(Arc::strong_count(&first), 1);
    }
}
