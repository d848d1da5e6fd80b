//! Compares what the database has with what callers were told.

use std::collections::{BTreeMap, HashSet};
use std::ops::AddAssign;

use event::ChainHash;

use super::callers::Answer;
use super::cluster::{Cluster, History};
use crate::backends::memory::MemoryDatabase;
use crate::batch::decode_body;
use crate::ids::{BatchNumber, WriterId};
use crate::{AppendError, MatchId, Seq, Shard, Shards};

/// How often things happened.
#[derive(Debug, Default)]
pub(super) struct Summary {
    acknowledged: u64,
    conflicts: u64,
    histories_changed: u64,
    unknown: u64,
    stopped: u64,
    lost: u64,
    failovers: u64,
    lossy_failovers: u64,
    late_commits: u64,
    /// Events in shards other than the first.
    in_other_shards: u64,
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        self.acknowledged += other.acknowledged;
        self.conflicts += other.conflicts;
        self.histories_changed += other.histories_changed;
        self.unknown += other.unknown;
        self.stopped += other.stopped;
        self.lost += other.lost;
        self.failovers += other.failovers;
        self.lossy_failovers += other.lossy_failovers;
        self.late_commits += other.late_commits;
        self.in_other_shards += other.in_other_shards;
    }
}

impl Summary {
    /// Fails if the histories were too tame to show anything.
    pub(super) fn assert_everything_happened(&self) {
        let Summary { acknowledged, conflicts, histories_changed, unknown, stopped, lost, .. } = *self;
        let Summary { lossy_failovers, late_commits, in_other_shards, .. } = *self;
        let answers = [acknowledged, conflicts, histories_changed, unknown, stopped];
        let counts = [&answers[..], &[lost, late_commits, in_other_shards]].concat();
        assert!(lossy_failovers > 0 && counts.iter().all(|&count| count > 0), "{self:?}");
    }
}

/// Checks that each event follows the event that its caller saw, that no match has a gap or an event twice,
/// and that no writer's batches have a gap or events of two shards.
pub(super) fn check_database(database: &MemoryDatabase, history: &History, shards: Shards) {
    let seed = history.seed;
    let mut heads: BTreeMap<MatchId, (Seq, ChainHash)> = BTreeMap::new();
    for (match_id, stored) in database.stored_events() {
        let event = &stored.event;
        let before = heads.insert(match_id, (event.seq, event.hash));
        assert_eq!(
            event.seq,
            before.map_or(Seq::FIRST, |(seq, _)| seq.next()),
            "seed {seed}: a gap in {match_id}"
        );
        let (seen, stored) = (history.previous[&event.hash], before.map(|(_, hash)| hash));
        assert_eq!(seen, stored, "seed {seed}: event {:?} of {match_id} is on another history", event.seq);
    }
    let (mut last, mut of_writer) = (BTreeMap::<WriterId, BatchNumber>::new(), BTreeMap::new());
    for commit in database.logged_commits() {
        let before = last.insert(commit.head.writer, commit.head.number).unwrap_or_default();
        assert_eq!(commit.head.number, before.next(), "seed {seed}: a gap in the batches");
        for (match_id, _) in decode_body(commit.body).unwrap().heads {
            let shard = shards.of(match_id);
            let other = of_writer.insert(commit.head.writer, shard).filter(|other| *other != shard);
            assert_eq!(other, None, "seed {seed}: a writer with two shards");
        }
    }
}

/// Judges a finished history.
pub(super) fn judge(cluster: &Cluster, answers: &[Answer]) -> Summary {
    let (database, history) = (cluster.primary(), cluster.history());
    let seed = history.seed;
    check_database(&database, &history, cluster.shards());
    let stored: HashSet<ChainHash> = database.stored_events().map(|(_, stored)| stored.event.hash).collect();
    let mut summary = Summary {
        lost: u64::try_from(history.lost.len()).unwrap(),
        failovers: history.failovers,
        lossy_failovers: history.lossy_failovers,
        late_commits: history.late_commits,
        in_other_shards: count_in_other_shards(&database, cluster.shards()),
        ..Summary::default()
    };
    for Answer { events, result } in answers {
        let count = match result {
            Ok(_) => &mut summary.acknowledged,
            Err(AppendError::Conflict) => &mut summary.conflicts,
            Err(AppendError::HistoryChanged) => &mut summary.histories_changed,
            Err(AppendError::OutcomeUnknown) => &mut summary.unknown,
            Err(AppendError::Stopped) => &mut summary.stopped,
            Err(AppendError::Overloaded { .. }) => continue,
            Err(error) => panic!("seed {seed}: an append was refused: {error}"),
        };
        *count += 1;
        for event in events {
            let (kept, lost) = (stored.contains(event), history.lost.contains(event));
            match result {
                Ok(_) => assert!(kept || lost, "seed {seed}: an acknowledged event is missing"),
                Err(AppendError::OutcomeUnknown) => {}
                // It may have been written before a failover lost it, while its writer did not know. And
                // what a pooler held back across a failover may find its place free again.
                Err(error) => assert!(
                    !kept || history.carried_over.contains(event),
                    "seed {seed}: an event was written and answered with: {error}"
                ),
            }
        }
    }
    summary
}

fn count_in_other_shards(database: &MemoryDatabase, shards: Shards) -> u64 {
    let other = database.stored_events().filter(|(match_id, _)| shards.of(*match_id) != Shard::FIRST);
    u64::try_from(other.count()).unwrap()
}
