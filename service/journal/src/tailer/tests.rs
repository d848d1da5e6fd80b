//! What the tailer makes of other lanes' commits and silences, told by a source that plays a part.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use opentelemetry::metrics::{MeterProvider, NoopMeterProvider};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::{OthersCommit, Tailer, Watches};
use crate::commit_log::{self, Purpose};
use crate::context::{Context, Rivals};
use crate::feed::Signals;
use crate::ids::ReplicaId;
use crate::instruments::Instruments;
use crate::lane::samples::{id, move_at};
use crate::memory::Memory;
use crate::racing::Racing;
use crate::status::Status;
use crate::store::{Closed, KnownLanes, LaneHead, LogRow, TailSource};
use crate::time::DatabaseTime;
use crate::{Clock, Lane, LaneNo, Limits, ReadError, Seq, Timing};

/// Gives one script entry a look and remembers which lanes were closed.
#[derive(Default)]
struct Script {
    looks: Mutex<VecDeque<Vec<LogRow>>>,
    closed: Mutex<Vec<LaneHead>>,
}

#[async_trait]
impl TailSource for Script {
    async fn known_lanes(&self) -> Result<KnownLanes, ReadError> {
        Ok(KnownLanes { open: Vec::new(), closed: Vec::new(), first_new: Lane(1) })
    }

    async fn newer(&self, _known: &KnownLanes, _limit: u32) -> Result<Vec<LogRow>, ReadError> {
        Ok(self.looks.lock().unwrap().pop_front().unwrap_or_default())
    }

    async fn close_lane(&self, head: LaneHead, clock: Clock, _body: &Bytes) -> Result<Closed, ReadError> {
        assert!(clock > head.clock);
        self.closed.lock().unwrap().push(head);
        Ok(Closed::Now)
    }
}

fn head(lane: i64, no: i64) -> LaneHead {
    LaneHead { lane: Lane(lane), no: LaneNo(no), clock: Clock(no) }
}

fn commit(lane: i64, no: i64, purpose: Purpose, seqs: &[u32]) -> LogRow {
    let appends: Vec<_> = seqs.iter().map(|&seq| move_at(id(7), seq)).collect();
    let events = appends.iter().map(|append| (append.match_id, &append.events[0].event));
    LogRow { head: head(lane, no), body: commit_log::encode(ReplicaId::mint(), purpose, events) }
}

async fn tailer(script: &Arc<Script>) -> (Tailer, broadcast::Receiver<OthersCommit>, Arc<Context>) {
    let (commits, heard) = broadcast::channel(16);
    let context = Arc::new(Context {
        store: Arc::new(Memory::default()),
        replica: ReplicaId::mint(),
        time: DatabaseTime::from_system(),
        status: Status::new(),
        racing: Racing::default(),
        closing: CancellationToken::new(),
        limits: Limits::default(),
        instruments: Instruments::new(&NoopMeterProvider::new().meter("journal")),
        timing: Timing { lane_silence: Duration::from_secs(60), ..Timing::default() },
        rivals: Rivals::Possible,
        commits,
        feed: Signals::default(),
    });
    let known = script.known_lanes().await.unwrap();
    let tailer = Tailer::new(context.clone(), script.clone(), known, Arc::new(Watches::default()));
    (tailer, heard, context)
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_lane_is_closed_after_its_silence_and_not_before() {
    let script = Arc::new(Script::default());
    script.looks.lock().unwrap().extend([vec![commit(1, 1, Purpose::Opening, &[])]]);
    let (mut tailer, _heard, _) = tailer(&script).await;
    for look in 1..=60 {
        assert!(script.closed.lock().unwrap().is_empty(), "closed before look {look}");
        tailer.look(SECOND).await.unwrap();
    }
    assert_eq!(*script.closed.lock().unwrap(), [head(1, 1)]);
}

#[tokio::test]
async fn a_sign_of_life_begins_the_silence_anew() {
    let script = Arc::new(Script::default());
    script.looks.lock().unwrap().extend((1..=300).map(|look| match look % 50 {
        1 => vec![commit(1, look / 50 + 1, Purpose::KeepAlive, &[])],
        _ => Vec::new(),
    }));
    let (mut tailer, _heard, _) = tailer(&script).await;
    for _ in 0..300 {
        tailer.look(SECOND).await.unwrap();
    }
    assert!(script.closed.lock().unwrap().is_empty());
}

#[tokio::test]
async fn commits_are_told_by_match_with_their_last_event() {
    let script = Arc::new(Script::default());
    let look = vec![commit(1, 1, Purpose::Opening, &[]), commit(1, 2, Purpose::Events, &[4, 5, 6])];
    script.looks.lock().unwrap().push_back(look);
    let (mut tailer, mut heard, context) = tailer(&script).await;
    tailer.look(SECOND).await.unwrap();
    assert_eq!(heard.try_recv().unwrap(), OthersCommit { match_id: id(7), head: Seq(6) });
    assert!(heard.try_recv().is_err());
    assert_eq!(*context.status.resets().borrow(), 0);
}

#[tokio::test]
async fn commits_that_are_missed_or_unreadable_empty_the_cache() {
    for strange in
        [commit(1, 9, Purpose::Events, &[4]), LogRow { head: head(1, 2), body: Bytes::from_static(&[255]) }]
    {
        let script = Arc::new(Script::default());
        script.looks.lock().unwrap().extend([vec![commit(1, 1, Purpose::Opening, &[])], vec![strange]]);
        let (mut tailer, _heard, context) = tailer(&script).await;
        tailer.look(SECOND).await.unwrap();
        assert_eq!(*context.status.resets().borrow(), 0);
        tailer.look(SECOND).await.unwrap();
        assert_eq!(*context.status.resets().borrow(), 1);
    }
}

#[tokio::test]
async fn a_closed_lane_is_remembered_as_read_and_never_closed_again() {
    let script = Arc::new(Script::default());
    let look = vec![commit(1, 1, Purpose::Opening, &[]), commit(1, 2, Purpose::Closing, &[])];
    script.looks.lock().unwrap().push_back(look);
    let (mut tailer, _heard, _) = tailer(&script).await;
    for _ in 0..120 {
        tailer.look(SECOND).await.unwrap();
    }
    assert!(script.closed.lock().unwrap().is_empty());
    assert_eq!((tailer.known.open.len(), tailer.known.closed.as_slice()), (0, [Lane(1)].as_slice()));
}
