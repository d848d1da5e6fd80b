//! Lost connections: what the writer sends again, what it finds committed, and when the replica must stop.

use tokio::time::{Duration, sleep};

use super::faulty::{Fault, Faulty};
use crate::batch::{Purpose, encode_empty_body};
use crate::ids::{BatchNumber, ReplicaId, WriterId};
use crate::samples::{create, head_seq, id, move_at};
use crate::{AppendError, Hlc, NewEvents, PageSize, Seq, StopReason};

const WRITER: WriterId = WriterId(1);

// Time is paused in these tests: it advances whenever every task waits.

#[tokio::test(start_paused = true)]
async fn a_retry_sends_the_same_bytes() {
    for fault in [Fault::LostBefore, Fault::LostAfter, Fault::Hangs] {
        let store = Faulty::default();
        let journal = store.open().await;
        store.inject([fault, fault]);
        let invalidations = journal.invalidations();
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
        // Only a hanging commit takes longer than the append timeout.
        match fault {
            Fault::Hangs => assert_eq!(answer, Err(AppendError::OutcomeUnknown)),
            _ => assert_eq!(answer.unwrap().hlc, sent[0].1),
        }
        assert!(invalidations.has_changed().unwrap());
        assert_eq!(journal.events(id(1), Seq(0), PageSize(10)).await.unwrap().len(), 1);
        journal.append(move_at(id(1), 2)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_commit_stops_the_replica() {
    let store = Faulty::default();
    let journal = store.open().await;
    journal.append(create(id(1), [1; 32])).await.unwrap();
    store.inject([Fault::LostBefore]);
    store.on_loss(|memory| memory.remove_commit(WRITER, BatchNumber(2)));
    assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::OutcomeUnknown));
    assert_eq!(journal.stopped().await, StopReason::HistoryChanged);
    assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::Stopped));
}

#[tokio::test(start_paused = true)]
async fn a_foreign_commit_with_the_batchs_number_stops_the_replica() {
    for (purpose, reason) in
        [(Purpose::Closing, StopReason::Fenced), (Purpose::Events, StopReason::HistoryChanged)]
    {
        let store = Faulty::default();
        let journal = store.open().await;
        journal.append(create(id(1), [1; 32])).await.unwrap();
        let body = encode_empty_body(ReplicaId::generate(), purpose);
        store.memory.put_commit(WRITER, BatchNumber(3), Hlc(1), body);
        assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::OutcomeUnknown));
        assert_eq!(journal.stopped().await, reason);
        assert_eq!(head_seq(&journal, id(1)).await, Some(Seq(1)));
    }
}

#[tokio::test(start_paused = true)]
async fn an_append_to_a_lost_event_is_refused() {
    let store = Faulty::default();
    let journal = store.open().await;
    for n in 1..=2 {
        journal.append(create(id(n), [u8::try_from(n).unwrap(); 32])).await.unwrap();
    }
    store.inject([Fault::LostBefore]);
    // Another replica's event that the failover lost.
    store.on_loss(|memory| memory.remove_event(id(1), Seq(1)));
    let (orphan, other) = tokio::join!(journal.append(move_at(id(1), 2)), journal.append(move_at(id(2), 2)));
    assert_eq!(orphan, Err(AppendError::HistoryChanged));
    other.unwrap();
    assert_eq!(head_seq(&journal, id(1)).await, None);
    // A caller that decided before the loss may append after the reconnect.
    assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::HistoryChanged));
}

#[tokio::test(start_paused = true)]
async fn a_request_queued_behind_a_hanging_commit_is_never_written() {
    let store = Faulty::default();
    let journal = store.open().await;
    store.inject([Fault::Hangs]);
    let mut late = journal.new_events();
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
    // The writer retries: the first is committed after all, the second never.
    while store.memory.last_event(id(1)).is_none() {
        sleep(Duration::from_secs(1)).await;
    }
    // Its caller is gone, so a notice announces it.
    assert_eq!(late.recv().await.unwrap(), NewEvents { match_id: id(1), head: Seq(1) });
    journal.append(create(id(4), [4; 32])).await.unwrap();
    assert_eq!(head_seq(&journal, id(2)).await, None);
    assert!(late.is_empty(), "an answered commit was announced");
}
