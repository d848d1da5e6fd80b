//! The database of the simulation: its primary, and the states to which a failover may go back.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use event::ChainHash;
use futures_util::FutureExt as _;

use super::random::Random;
use super::referee;
use crate::Shards;
use crate::backends::memory::MemoryDatabase;
use crate::batch::{Batch, Purpose, Request};
use crate::store::{WriteError, WriterConnection as _};

/// Number of earlier states that are kept.
const EARLIER_STATES: usize = 12;

/// The cluster; cheap to clone.
#[derive(Clone)]
pub(super) struct Cluster(Arc<Mutex<State>>);

struct State {
    random: Random,
    shards: Shards,
    primary: MemoryDatabase,
    /// Number of failovers.
    generation: u64,
    /// Copies of the primary, oldest first.
    earlier: VecDeque<MemoryDatabase>,
    faults: bool,
    late: Vec<Late>,
    history: History,
}

/// What happened to every event.
#[derive(Clone, Default)]
pub(super) struct History {
    pub(super) seed: u64,
    /// The hash of each appended event's predecessor, as its caller saw it.
    pub(super) previous: HashMap<ChainHash, Option<ChainHash>>,
    /// Events of statements that a pooler held back and sent to the next primary.
    pub(super) carried_over: HashSet<ChainHash>,
    /// Events that a failover lost.
    pub(super) lost: HashSet<ChainHash>,
    pub(super) failovers: u64,
    pub(super) lossy_failovers: u64,
    pub(super) late_commits: u64,
}

/// A statement that its writer has given up.
struct Late {
    batch: Batch,
    /// The server that has it; `None` behind a pooler.
    server: Option<u64>,
    /// Number of failovers before it was sent.
    generation: u64,
}

/// What happens to a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Executed,
    LostBefore,
    LostAfter,
    Late,
    Transient,
}

impl Cluster {
    pub(super) fn new(seed: u64, random: Random) -> Cluster {
        Cluster(Arc::new(Mutex::new(State {
            random,
            // A seed has 1, 2 or 3.
            shards: Shards::new(1 + u16::try_from(seed % 3).unwrap()).unwrap(),
            primary: MemoryDatabase::default(),
            generation: 0,
            earlier: VecDeque::new(),
            faults: true,
            late: Vec::new(),
            history: History { seed, ..History::default() },
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(super) fn shards(&self) -> Shards {
        self.state().shards
    }

    /// Returns the primary. A failover changes its contents.
    pub(super) fn primary(&self) -> MemoryDatabase {
        self.state().primary.clone()
    }

    pub(super) fn generation(&self) -> u64 {
        self.state().generation
    }

    pub(super) fn history(&self) -> History {
        self.state().history.clone()
    }

    /// Notes an event that is about to be appended.
    pub(super) fn note(&self, hash: ChainHash, previous: Option<ChainHash>) {
        self.state().history.previous.insert(hash, previous);
    }

    /// Decides what happens to the next statement.
    pub(super) fn fate(&self) -> Fate {
        let mut state = self.state();
        if !state.faults {
            return Fate::Executed;
        }
        match state.random.below(100) {
            0..4 => Fate::LostBefore,
            4..8 => Fate::LostAfter,
            8..12 => Fate::Late,
            12..16 => Fate::Transient,
            _ => Fate::Executed,
        }
    }

    /// Executes a batch on the primary.
    pub(super) fn execute(&self, batch: &Batch) -> Result<(), WriteError> {
        let mut state = self.state();
        let before = state.primary.copy();
        state.primary.clone().commit(batch).now_or_never().expect("memory never waits")?;
        state.earlier.push_back(before);
        if state.earlier.len() > EARLIER_STATES {
            state.earlier.pop_front();
        }
        Ok(())
    }

    /// Keeps a copy of a batch that its writer gives up, to be executed later or never.
    pub(super) fn postpone(&self, batch: &Batch, server: Option<u64>) {
        let again = |request: &Request| Request::new(request.append.clone(), tracing::Span::none()).0;
        let copy = match batch.purpose {
            Purpose::Events => Batch::of_events(batch.id, batch.requests().iter().map(again).collect()),
            purpose => Batch::empty(batch.id, purpose),
        };
        let mut state = self.state();
        let generation = state.generation;
        state.late.push(Late { batch: copy, server, generation });
    }

    /// Executes a late statement, unless its server is gone.
    pub(super) fn execute_late(&self) {
        let late = {
            let mut state = self.state();
            let count = state.late.len();
            if count == 0 {
                return;
            }
            let chosen = state.random.below(count);
            state.late.swap_remove(chosen)
        };
        let generation = self.generation();
        if late.server.is_none_or(|server| server == generation) && self.execute(&late.batch).is_ok() {
            let history = &mut self.state().history;
            history.late_commits += 1;
            if late.generation < generation {
                history.carried_over.extend(late.batch.events().map(|event| event.new.event.hash));
            }
        }
    }

    /// Fails over to a standby that lacks the last commits, or none.
    pub(super) fn fail_over(&self) {
        let mut state = self.state();
        referee::check_database(&state.primary, &state.history, state.shards);
        let back = state.random.below(EARLIER_STATES);
        let kept = state.earlier.len().saturating_sub(back);
        state.generation += 1;
        state.history.failovers += 1;
        let Some(earlier) = state.earlier.get(kept).map(MemoryDatabase::copy) else { return };
        let remaining: HashSet<ChainHash> = earlier.stored_events().map(|(_, e)| e.event.hash).collect();
        let lost = state.primary.stored_events().map(|(_, e)| e.event.hash);
        let lost: Vec<_> = lost.filter(|hash| !remaining.contains(hash)).collect();
        state.history.lossy_failovers += u64::from(!lost.is_empty());
        state.history.lost.extend(lost);
        state.primary.go_back_to(&earlier);
        state.earlier.truncate(kept);
    }

    /// Lets everything succeed from now on, and executes what is late.
    pub(super) fn end_faults(&self) {
        self.state().faults = false;
        while !self.state().late.is_empty() {
            self.execute_late();
        }
    }
}
