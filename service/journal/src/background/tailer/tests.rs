//! Unit tests of the tailer, with a scripted source of commits.

use std::collections::VecDeque;
use std::sync::Mutex;

use async_trait::async_trait;
use bytes::Bytes;

use super::*;
use crate::batch::encode_body;
use crate::ids::BatchNumber;
use crate::samples::{id, move_at};
use crate::{Hlc, Seq};

/// Returns one entry per poll and records which writers were closed.
#[derive(Default)]
struct Script {
    polls: Mutex<VecDeque<Vec<LoggedCommit>>>,
    closed: Mutex<Vec<WriterHead>>,
    lost: Mutex<Vec<WriterId>>,
}

#[async_trait]
impl TailSource for Script {
    async fn known_writers(&self) -> Result<KnownWriters, ReadError> {
        Ok(KnownWriters { open: Vec::new(), closed: Vec::new(), first_new: WriterId(1) })
    }

    async fn newer_commits(
        &self,
        _known: &KnownWriters,
        _limit: u32,
    ) -> Result<Vec<LoggedCommit>, ReadError> {
        Ok(self.polls.lock().unwrap().pop_front().unwrap_or_default())
    }

    async fn close_writer(
        &self,
        head: WriterHead,
        hlc: Hlc,
        _body: &Bytes,
    ) -> Result<CloseOutcome, ReadError> {
        assert!(hlc > head.hlc);
        self.closed.lock().unwrap().push(head);
        Ok(CloseOutcome::Closed)
    }

    async fn lost_commits(&self, heads: &[WriterHead]) -> Result<Vec<WriterId>, ReadError> {
        let lost = self.lost.lock().unwrap();
        Ok(heads.iter().map(|head| head.writer).filter(|writer| lost.contains(writer)).collect())
    }
}

fn head(writer: i64, number: i64) -> WriterHead {
    WriterHead { writer: WriterId(writer), number: BatchNumber(number), hlc: Hlc(number) }
}

fn commit(writer: i64, number: i64, purpose: Purpose, seqs: &[u32]) -> LoggedCommit {
    let appends: Vec<_> = seqs.iter().map(|&seq| move_at(id(7), seq)).collect();
    let events = appends.iter().map(|append| (append.match_id, &append.events[0].event));
    LoggedCommit { head: head(writer, number), body: encode_body(ReplicaId::generate(), purpose, events) }
}

async fn tailer(script: &Arc<Script>) -> (Tailer, broadcast::Receiver<NewEvents>, Lifecycle) {
    let (new_events, heard) = broadcast::channel(16);
    let lifecycle = Lifecycle::new();
    let tailer = Tailer {
        source: script.clone(),
        replica: ReplicaId::generate(),
        time: Arc::new(DatabaseTime::from_system()),
        lifecycle: lifecycle.clone(),
        timing: JournalTiming { silence_timeout: Duration::from_secs(60), ..JournalTiming::default() },
        polling: Arc::default(),
        feed: Arc::default(),
        new_events,
        erasures: broadcast::Sender::new(16),
        own_heads: Arc::default(),
        history_checked: Instant::now(),
        known: script.known_writers().await.unwrap(),
        silences: HashMap::new(),
        closed_heads: VecDeque::new(),
    };
    (tailer, heard, lifecycle)
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_writer_is_closed_at_the_silence_timeout_and_not_before() {
    let script = Arc::new(Script::default());
    script.polls.lock().unwrap().extend([vec![commit(1, 1, Purpose::Opening, &[])]]);
    let (mut tailer, _heard, _) = tailer(&script).await;
    for poll in 1..=60 {
        assert!(script.closed.lock().unwrap().is_empty(), "closed before poll {poll}");
        tailer.poll(SECOND).await.unwrap();
    }
    assert_eq!(*script.closed.lock().unwrap(), [head(1, 1)]);
}

#[tokio::test]
async fn a_keep_alive_restarts_the_silence() {
    let script = Arc::new(Script::default());
    script.polls.lock().unwrap().extend((1..=300).map(|poll| match poll % 50 {
        1 => vec![commit(1, poll / 50 + 1, Purpose::KeepAlive, &[])],
        _ => Vec::new(),
    }));
    let (mut tailer, _heard, _) = tailer(&script).await;
    for _ in 0..300 {
        tailer.poll(SECOND).await.unwrap();
    }
    assert!(script.closed.lock().unwrap().is_empty());
}

#[tokio::test]
async fn commits_are_announced_per_match_with_their_last_event() {
    let script = Arc::new(Script::default());
    let poll = vec![commit(1, 1, Purpose::Opening, &[]), commit(1, 2, Purpose::Events, &[4, 5, 6])];
    script.polls.lock().unwrap().push_back(poll);
    let (mut tailer, mut heard, lifecycle) = tailer(&script).await;
    tailer.poll(SECOND).await.unwrap();
    assert_eq!(heard.try_recv().unwrap(), NewEvents { match_id: id(7), head: Seq(6) });
    assert!(heard.try_recv().is_err());
    assert_eq!(*lifecycle.invalidations().borrow(), 0);
}

#[tokio::test]
async fn missed_and_undecodable_commits_invalidate_caches() {
    for unexpected in [
        commit(1, 9, Purpose::Events, &[4]),
        LoggedCommit { head: head(1, 2), body: Bytes::from_static(&[255]) },
    ] {
        let script = Arc::new(Script::default());
        script.polls.lock().unwrap().extend([vec![commit(1, 1, Purpose::Opening, &[])], vec![unexpected]]);
        let (mut tailer, _heard, lifecycle) = tailer(&script).await;
        tailer.poll(SECOND).await.unwrap();
        assert_eq!(*lifecycle.invalidations().borrow(), 0);
        tailer.poll(SECOND).await.unwrap();
        assert_eq!(*lifecycle.invalidations().borrow(), 1);
    }
}

#[tokio::test]
async fn a_closed_writer_is_remembered_and_never_closed_again() {
    let script = Arc::new(Script::default());
    let poll = vec![commit(1, 1, Purpose::Opening, &[]), commit(1, 2, Purpose::Closing, &[])];
    script.polls.lock().unwrap().push_back(poll);
    let (mut tailer, _heard, _) = tailer(&script).await;
    for _ in 0..120 {
        tailer.poll(SECOND).await.unwrap();
    }
    assert!(script.closed.lock().unwrap().is_empty());
    assert_eq!((tailer.known.open.len(), tailer.known.closed.as_slice()), (0, [WriterId(1)].as_slice()));
}

#[tokio::test]
async fn a_lost_commit_of_another_replica_invalidates_caches_once() {
    let script = Arc::new(Script::default());
    script.polls.lock().unwrap().extend([vec![commit(1, 1, Purpose::Opening, &[])]]);
    let (mut tailer, _heard, lifecycle) = tailer(&script).await;
    tailer.poll(SECOND).await.unwrap();
    tailer.check_history().await.unwrap();
    assert_eq!(*lifecycle.invalidations().borrow(), 0);
    script.lost.lock().unwrap().push(WriterId(1));
    tailer.check_history().await.unwrap();
    // It has read again which writers there are.
    tailer.check_history().await.unwrap();
    assert_eq!(*lifecycle.invalidations().borrow(), 1);
    assert_eq!(lifecycle.stop_reason(), None);
}

#[tokio::test]
async fn a_lost_commit_of_a_closed_writer_is_noticed() {
    let script = Arc::new(Script::default());
    let poll = vec![commit(1, 1, Purpose::Opening, &[]), commit(1, 2, Purpose::Closing, &[])];
    script.polls.lock().unwrap().push_back(poll);
    let (mut tailer, _heard, lifecycle) = tailer(&script).await;
    tailer.poll(SECOND).await.unwrap();
    script.lost.lock().unwrap().push(WriterId(1));
    tailer.check_history().await.unwrap();
    assert_eq!(*lifecycle.invalidations().borrow(), 1);
}

#[tokio::test]
async fn a_lost_commit_of_its_own_stops_the_replica() {
    let script = Arc::new(Script::default());
    let (mut tailer, _heard, lifecycle) = tailer(&script).await;
    tailer.own_heads.record(head(5, 3));
    tailer.check_history().await.unwrap();
    assert_eq!(lifecycle.stop_reason(), None);
    script.lost.lock().unwrap().push(WriterId(5));
    tailer.check_history().await.unwrap();
    assert_eq!(lifecycle.stop_reason(), Some(StopReason::HistoryChanged));
}
