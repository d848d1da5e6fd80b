//! Lost connections: what is sent again, what is found to have been written, and when the replica must stop.

use tokio::time::{Duration, sleep};

use super::faulty::{Fault, Faulty};
use crate::commit_log::{self, Purpose};
use crate::ids::ReplicaId;
use crate::lane::samples::{create, id, move_at};
use crate::{AppendError, Lane, LaneNo, OthersCommit, Seq, StopReason};

const WRITER: Lane = Lane(1);

// Time is paused in these tests and runs as fast as everybody waits.

#[tokio::test(start_paused = true)]
async fn a_batch_is_sent_again_just_as_it_was() {
    for fault in [Fault::LostBefore, Fault::LostAfter, Fault::Hangs] {
        let store = Faulty::default();
        let journal = store.open().await;
        store.order([fault, fault]);
        let resets = journal.reset_signal();
        let call = tokio::spawn({
            let journal = journal.clone();
            async move { journal.append(create(id(1), [1; 32])).await }
        });
        while store.memory.last_event(id(1)).is_none() {
            sleep(Duration::from_secs(1)).await;
        }
        let answer = call.await.unwrap();
        let sent = store.sent();
        assert!(sent.len() >= 2 && sent.windows(2).all(|pair| pair[0] == pair[1]), "{fault:?}");
        // A hanging write outlasts the caller's patience, the others don't.
        match fault {
            Fault::Hangs => assert_eq!(answer, Err(AppendError::OutcomeUnknown)),
            _ => assert_eq!(answer.unwrap().clock, sent[0].1),
        }
        assert!(resets.has_changed().unwrap());
        assert_eq!(journal.events(id(1), Seq(0), 10).await.unwrap().len(), 1);
        journal.append(move_at(id(1), 2)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_is_gone_stops_the_replica() {
    let store = Faulty::default();
    let journal = store.open().await;
    journal.append(create(id(1), [1; 32])).await.unwrap();
    store.order([Fault::LostBefore]);
    store.on_loss(|memory| memory.remove_commit(WRITER, LaneNo(2)));
    assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::OutcomeUnknown));
    assert_eq!(journal.stopped().await, StopReason::AnotherHistory);
    assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::Stopped));
}

#[tokio::test(start_paused = true)]
async fn a_number_taken_by_others_stops_the_replica() {
    for (purpose, reason) in
        [(Purpose::Closing, StopReason::Fenced), (Purpose::Events, StopReason::AnotherHistory)]
    {
        let store = Faulty::default();
        let journal = store.open().await;
        journal.append(create(id(1), [1; 32])).await.unwrap();
        let body = commit_log::encode(ReplicaId::mint(), purpose, std::iter::empty());
        store.memory.put_commit(WRITER, LaneNo(3), body);
        assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::OutcomeUnknown));
        assert_eq!(journal.stopped().await, reason);
        assert_eq!(journal.head(id(1)).await.unwrap(), Some(Seq(1)));
    }
}

#[tokio::test(start_paused = true)]
async fn an_append_after_an_event_that_is_gone_is_a_conflict() {
    let store = Faulty::default();
    let journal = store.open().await;
    for n in 1..=2 {
        journal.append(create(id(n), [u8::try_from(n).unwrap(); 32])).await.unwrap();
    }
    store.order([Fault::LostBefore]);
    // Written by another replica, and lost with its lane.
    store.on_loss(|memory| memory.remove_event(id(1), Seq(1)));
    let (orphan, other) = tokio::join!(journal.append(move_at(id(1), 2)), journal.append(move_at(id(2), 2)));
    assert_eq!(orphan, Err(AppendError::Conflict));
    other.unwrap();
    assert_eq!(journal.head(id(1)).await.unwrap(), None);
    // Who judged before the loss may ask a little later.
    assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::Conflict));
}

#[tokio::test(start_paused = true)]
async fn what_waits_behind_a_hanging_write_is_surely_not_written() {
    let store = Faulty::default();
    let journal = store.open().await;
    store.order([Fault::Hangs]);
    let mut late = journal.others_commits();
    let first = tokio::spawn({
        let journal = journal.clone();
        async move { journal.append(create(id(1), [1; 32])).await }
    });
    while store.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    let second = journal.append(create(id(2), [2; 32])).await;
    assert!(matches!(second, Err(AppendError::Overloaded { .. })));
    assert_eq!(first.await.unwrap(), Err(AppendError::OutcomeUnknown));
    // The lane goes on: the first is written after all, the second never.
    while store.memory.last_event(id(1)).is_none() {
        sleep(Duration::from_secs(1)).await;
    }
    // Nobody waits for its answer any more, so it is told as news.
    assert_eq!(late.recv().await.unwrap(), OthersCommit { match_id: id(1), head: Seq(1) });
    journal.append(create(id(4), [4; 32])).await.unwrap();
    assert_eq!(journal.head(id(2)).await.unwrap(), None);
    assert!(late.is_empty(), "what was answered is no news");
}
