//! Matches folded in memory. This is a cache of the journal and nothing more: a live match is its log, read
//! before the next call needs it.

mod answers;
mod catch_up;
mod charges;
mod checkpoints;
mod fold_pool;
mod head;
mod history;
mod known_requests;
mod live_match;
mod looks;
mod registry;
mod turns;
mod waiting;
mod weight;

use std::sync::Arc;

use event::MatchId;
use journal::Journal;
use rules::Games;

use crate::shares::NoRoom;
use crate::stats::Lookups;
use crate::{Capacity, Refusal, ShareHolder};
use answers::Answers;
use charges::Charges;
use checkpoints::Checkpoints;
use fold_pool::FoldPool;
use looks::Looks;
use registry::Registry;

pub(crate) use catch_up::FOLD_PAGE;
pub(crate) use charges::WatchCharge;
pub(crate) use head::LiveHead;
pub(crate) use history::LogReader;
pub(crate) use known_requests::RequestKind;
pub(crate) use live_match::{LiveMatch, Spectating};
pub(crate) use waiting::Origin;

/// The part of the bytes of live matches that remembered answers may take as well, and so may looks.
const ANSWERS_PART: u64 = 8;

/// How many times the bytes of cached matches all live ones may take for another to be watched.
const WATCHED_FACTOR: u64 = 2;

/// The live matches of this replica, over the journal that they are read from.
pub(crate) struct LiveMatches {
    journal: Journal,
    /// The rules that logs are folded under.
    pub games: Games,
    registry: Registry,
    lookups: Lookups,
    answers: Answers,
    looks: Looks,
    charges: Arc<Charges>,
    fold_pool: FoldPool,
    checkpoint_interval: u32,
}

impl LiveMatches {
    /// Returns an empty cache.
    pub(crate) fn new(journal: Journal, games: Games, capacity: &Capacity) -> Self {
        Self {
            journal,
            games,
            registry: Registry::new(capacity.live_bytes),
            lookups: Lookups::default(),
            answers: Answers::new(capacity.live_bytes / ANSWERS_PART),
            looks: Looks::new(capacity.live_bytes / ANSWERS_PART),
            charges: Arc::new(Charges::new(capacity.live_bytes.saturating_mul(WATCHED_FACTOR))),
            fold_pool: FoldPool::default(),
            checkpoint_interval: capacity.checkpoint_interval,
        }
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    pub(crate) fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    /// Returns the checkpoints of a match that is not folded yet: none.
    pub(crate) fn new_checkpoints(&self) -> Checkpoints {
        Checkpoints::every(self.checkpoint_interval)
    }

    /// Returns the number of live matches.
    pub(crate) fn count(&self) -> usize {
        self.registry.count()
    }

    /// Returns the estimated bytes of the live matches.
    pub(crate) fn bytes(&self) -> u64 {
        self.registry.bytes()
    }

    /// Chooses a move for a caller: a computation of bounded work, off the runtime's workers.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        holder: Option<ShareHolder>,
        choose: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.fold_pool.for_thought(holder, choose).await
    }

    /// Charges a watch to its caller, unless the match may not stay in memory for it.
    pub(crate) fn charge(
        &self,
        holder: Option<ShareHolder>,
        live: &Arc<LiveMatch>,
    ) -> Result<WatchCharge, NoRoom> {
        self.charges.charge(holder, live, self.bytes())
    }

    /// Returns whether there is no more room because the matches that a caller watches have grown.
    pub(crate) fn is_overdrawn(&self, charge: &WatchCharge) -> bool {
        charge.is_overdrawn(self.bytes())
    }

    /// Returns a match if it is live.
    pub(crate) fn find(&self, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        self.registry.find(match_id)
    }

    /// Returns every live match.
    pub(crate) fn all(&self) -> Vec<Arc<LiveMatch>> {
        self.registry.all()
    }

    /// Marks every live match as stale and empties the cache.
    pub(crate) fn invalidate_all(&self) {
        self.registry.invalidate_all();
    }
}
