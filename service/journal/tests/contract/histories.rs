//! The database goes back to an earlier state, as after a failover to a standby that lagged, and others write
//! on from there. Nothing that was decided on the lost events is written after what replaced them.

use std::time::Duration;

use event::Event;
use futures_util::future::join_all;
use futures_util::poll;
use journal::{
    Append, AppendError, Hlc, Journal, JournalConfig, MatchId, Predecessor, Seq, Statements, StopReason,
};
use rstest::rstest;

use crate::pooler::Pooler;
use crate::proxy::{Cut, Proxy};
use crate::samples::{created, created_beside, event, hash, head_seq, log, move_at, new, new_id};
use crate::stores::{Kind, TestStore, eventually};

/// Returns a hash that no event of the samples has.
fn other_hash(id: MatchId, seq: u32) -> [u8; 32] {
    let mut other = hash(id, seq);
    other[27] = 1;
    other
}

/// Appends one event of another history, after one of the same or of the common one.
fn other_move(id: MatchId, seq: u32, after: Predecessor) -> Append {
    let event = Event { hash: other_hash(id, seq), ..event(id, seq, "other").event };
    Append { events: vec![new(event)], after: Some(after), ..move_at(id, seq, after.hlc, "other") }
}

/// Plays a match's events from `first` to `last`. Returns the hlc of the last.
async fn play(journal: &Journal, id: MatchId, seqs: std::ops::RangeInclusive<u32>, mut hlc: Hlc) -> Hlc {
    for seq in seqs {
        hlc = journal.append(move_at(id, seq, hlc, "played")).await.unwrap().hlc;
    }
    hlc
}

impl TestStore {
    /// Removes what was written at `since` or later, as a failover does that loses the last commits.
    async fn lose_since(&self, since: Hlc) {
        let Hlc(since) = since;
        let lose =
            format!("DELETE FROM event WHERE hlc >= {since}; DELETE FROM commit_log WHERE hlc >= {since}");
        match &self.database {
            Some(_) => {
                let sql = format!(
                    "ALTER TABLE event DISABLE TRIGGER ALL; {lose}; ALTER TABLE event ENABLE TRIGGER ALL"
                );
                self.execute(&sql).await;
            }
            None => {
                let trigger = "CREATE TRIGGER event_refuses_delete BEFORE DELETE ON event
                    BEGIN SELECT RAISE(ABORT, 'the event log is append-only: DELETE refused'); END";
                self.execute(&format!("DROP TRIGGER event_refuses_delete; {lose}; {trigger}")).await;
            }
        }
    }
}

/// Asserts that a match has the other history from `first` on, and nothing else.
async fn assert_other_history(journal: &Journal, id: MatchId, seqs: std::ops::RangeInclusive<u32>) {
    let log = log(journal, id).await;
    assert_eq!(log.len(), *seqs.end() as usize);
    for seq in seqs {
        assert_eq!(log[seq as usize - 1].event.hash, other_hash(id, seq), "event {seq}");
    }
}

#[rstest]
#[tokio::test]
async fn an_append_after_another_or_a_missing_event_is_refused(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let hlc = play(&journal, id, 2..=2, hlc).await;
    let other = Some(Predecessor { hash: other_hash(id, 2), hlc });
    let after_other = Append { after: other, ..move_at(id, 3, hlc, "x") };
    assert_eq!(journal.append(after_other).await, Err(AppendError::HistoryChanged));
    assert_eq!(journal.append(move_at(id, 4, hlc, "x")).await, Err(AppendError::HistoryChanged));
    assert_eq!(journal.append(move_at(new_id(), 2, hlc, "x")).await, Err(AppendError::HistoryChanged));
    assert_eq!(log(&journal, id).await.len(), 2);
    // What was refused left no commit behind, and the next append succeeds.
    play(&journal, id, 3..=4, hlc).await;
    if kind != Kind::Memory {
        assert_eq!(store.number("SELECT count(*) FROM commit_log WHERE count > 0").await, 4);
        assert_eq!(store.number("SELECT count(*) FROM event").await, 4);
    }
}

#[rstest]
#[tokio::test]
async fn a_refused_append_in_a_batch_fails_no_other(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let matches = join_all((0..20).map(|_| created(&journal))).await;
    let taken = matches[3];
    play(&journal, taken.0, 2..=2, taken.1).await;
    let append = |n: usize| {
        let (id, hlc) = matches[n];
        let append = move_at(id, 2, hlc, "batch");
        match n {
            7 => Append { after: Some(Predecessor { hash: other_hash(id, 1), hlc }), ..append },
            // More events than a chunk of a statement has rows.
            11 => Append { events: (2..=40).map(|seq| event(id, seq, "batch")).collect(), ..append },
            13 => move_at(id, 3, hlc, "batch"),
            _ => append,
        }
    };
    let answers = join_all((0..20).map(|n| journal.append(append(n)))).await;
    for (n, (&(id, _), answer)) in matches.iter().zip(answers).enumerate() {
        let log = log(&journal, id).await;
        match n {
            3 => assert_eq!((answer, log.len()), (Err(AppendError::Conflict), 2)),
            7 | 13 => assert_eq!((answer, log.len()), (Err(AppendError::HistoryChanged), 1)),
            11 => assert_eq!((answer.unwrap().hlc, 40), (log[1].hlc, log.len())),
            _ => assert_eq!((answer.unwrap().hlc, 2), (log[1].hlc, log.len())),
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_move_that_waits_on_a_lost_connection_is_not_written_onto_another_history(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let database = store.database.as_ref().unwrap();
    let first = store.open().await;
    let (id, hlc) = created(&first).await;
    let hlc = play(&first, id, 2..=6, hlc).await;
    // A second replica, which has not written since.
    let proxy = Proxy::to(database.address()).await;
    let waiting =
        Journal::open(JournalConfig::new(database.url_at(proxy.address).parse().unwrap())).await.unwrap();
    let seventh = play(&first, id, 7..=7, hlc).await;
    let eighth = play(&first, id, 8..=8, seventh).await;
    // It has read events 7 and 8, and its move 9 waits on a connection that hangs.
    proxy.cut(Cut::AndGoDown, b"ninth");
    let mut ninth = Box::pin(waiting.append(move_at(id, 9, eighth, "ninth")));
    assert!(poll!(&mut ninth).is_pending());
    eventually("the writer has sent it", async || proxy.has_cut()).await;
    drop(first);
    store.lose_since(seventh).await;
    let third = store.open().await;
    let mut after = Predecessor { hash: hash(id, 6), hlc };
    for seq in 7..=8 {
        let hlc = third.append(other_move(id, seq, after)).await.unwrap().hlc;
        after = Predecessor { hash: other_hash(id, seq), hlc };
    }
    proxy.come_up();
    assert_eq!(ninth.await, Err(AppendError::HistoryChanged));
    assert_other_history(&third, id, 7..=8).await;
    // The replica goes on with what the database has.
    waiting.append(other_move(id, 9, after)).await.unwrap();
    assert_other_history(&third, id, 7..=9).await;
}

#[rstest]
#[tokio::test]
async fn a_history_that_changes_behind_a_pooler_is_noticed_without_a_reconnect(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
    #[values(false, true)] replaced: bool,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let unnamed = async || store.open_with(|config| config.statements = Statements::Unnamed).await;
    let (first, second) = (unnamed().await, unnamed().await);
    let (id, hlc) = created(&first).await;
    let sixth = play(&first, id, 2..=6, hlc).await;
    let (other, other_hlc) = created_beside(&second, id).await;
    let lost = play(&first, id, 7..=7, sixth).await;
    let last = play(&first, id, 8..=8, lost).await;
    store.lose_since(lost).await;
    let third = store.open().await;
    if replaced {
        let after = Predecessor { hash: hash(id, 6), hlc: sixth };
        let hlc = third.append(other_move(id, 7, after)).await.unwrap().hlc;
        third.append(other_move(id, 8, Predecessor { hash: other_hash(id, 7), hlc })).await.unwrap();
    }
    assert_eq!(second.append(move_at(id, 9, last, "ninth")).await, Err(AppendError::HistoryChanged));
    assert_eq!(log(&third, id).await.len(), if replaced { 8 } else { 6 });
    // The second replica has lost nothing of its own.
    second.append(move_at(other, 2, other_hlc, "x")).await.unwrap();
    // The first one has: its writer writes nothing any more, not even to a match that lost nothing.
    let answer = first.append(move_at(other, 3, last, "x")).await;
    assert!(matches!(answer, Err(AppendError::OutcomeUnknown | AppendError::Stopped)), "{answer:?}");
    assert_eq!(first.stopped().await, StopReason::HistoryChanged);
    assert_eq!(log(&third, other).await.len(), 2);
}

/// The pooler leads to a standby that lagged, while no connection of the replicas ends.
#[rstest]
#[tokio::test]
async fn a_pooler_that_switches_servers_leads_no_move_onto_another_history(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
    #[values(false, true)] replaced: bool,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let primary = store.database.as_ref().unwrap();
    let before = store.open().await;
    let (id, hlc) = created(&before).await;
    let sixth = play(&before, id, 2..=6, hlc).await;
    let (other, other_hlc) = created(&before).await;
    before.close().await;
    let standby = primary.copy().await;

    let pooler = Pooler::to(primary.address()).await;
    let behind_pooler = async || {
        let mut config = JournalConfig::new(primary.url_at(pooler.address).parse().unwrap());
        config.statements = Statements::Unnamed;
        Journal::open(config).await.unwrap()
    };
    let (writing, waiting) = (behind_pooler().await, behind_pooler().await);
    let last = play(&writing, id, 7..=8, sixth).await;
    assert_eq!(head_seq(&waiting, id).await, Some(Seq(8)));
    pooler.switch_to(standby.name());
    let fresh = Journal::open(JournalConfig::new(standby.url().parse().unwrap())).await.unwrap();
    if replaced {
        let after = Predecessor { hash: hash(id, 6), hlc: sixth };
        let hlc = fresh.append(other_move(id, 7, after)).await.unwrap().hlc;
        fresh.append(other_move(id, 8, Predecessor { hash: other_hash(id, 7), hlc })).await.unwrap();
    }
    // The standby has nothing of either replica, not even that they began to write, so they stop.
    for (replica, append) in
        [(&waiting, move_at(id, 9, last, "ninth")), (&writing, move_at(other, 2, other_hlc, "x"))]
    {
        let answer = replica.append(append).await;
        assert!(matches!(answer, Err(AppendError::OutcomeUnknown | AppendError::Stopped)), "{answer:?}");
        assert_eq!(replica.stopped().await, StopReason::HistoryChanged);
    }
    // A replica that starts again goes on with what the standby has.
    let restarted = behind_pooler().await;
    assert_eq!(restarted.append(move_at(id, 9, last, "ninth")).await, Err(AppendError::HistoryChanged));
    restarted.append(move_at(other, 2, other_hlc, "x")).await.unwrap();
    assert_eq!(log(&fresh, id).await.len(), if replaced { 8 } else { 6 });
    assert_eq!(log(&fresh, other).await.len(), 2);
    // The old primary has what was acknowledged, and nothing since.
    let old = store.open().await;
    assert_eq!((log(&old, id).await.len(), log(&old, other).await.len()), (8, 1));
}

#[rstest]
#[tokio::test]
async fn an_idle_replica_whose_commits_are_lost_stops_at_its_next_keep_alive(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal =
        store.open_with(|config| config.timing.keep_alive_interval = Duration::from_millis(500)).await;
    let (id, hlc) = created(&journal).await;
    store.lose_since(hlc).await;
    assert_eq!(journal.stopped().await, StopReason::HistoryChanged);
    assert_eq!(head_seq(&journal, id).await, None::<Seq>);
}

#[tokio::test]
async fn a_sqlite_file_that_lost_its_last_commits_stops_the_service() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let (other, other_hlc) = created(&journal).await;
    store.lose_since(other_hlc).await;
    assert_eq!(journal.append(move_at(id, 2, hlc, "x")).await, Err(AppendError::OutcomeUnknown));
    assert_eq!(journal.stopped().await, StopReason::HistoryChanged);
    assert_eq!(log(&journal, id).await.len(), 1);
    assert_eq!(log(&journal, other).await.len(), 0);
}

#[rstest]
#[tokio::test]
async fn a_replica_that_only_reads_notices_lost_commits(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let quiet =
        async || store.open_with(|config| config.timing.idle_poll_interval = Duration::from_millis(20)).await;
    let (writing, reading) = (quiet().await, quiet().await);
    let mut heard = reading.new_events();
    let mut invalidations = reading.invalidations();
    let (id, hlc) = created(&writing).await;
    assert_eq!(heard.recv().await.unwrap().match_id, id);
    assert!(!invalidations.has_changed().unwrap());
    store.lose_since(hlc).await;
    // Its own commits are all there, so it goes on with what the database has.
    invalidations.changed().await.unwrap();
    assert_eq!(writing.stopped().await, StopReason::HistoryChanged);
    let (id, _) = created(&reading).await;
    assert_eq!(log(&reading, id).await.len(), 1);
    // It hears of a later replica's commits as before.
    let (later, _) = created(&store.open().await).await;
    while heard.recv().await.unwrap().match_id != later {}
    assert_eq!(*invalidations.borrow_and_update(), 1);
}
