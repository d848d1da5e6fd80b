//! Batches that the database rolls back: which caller gets which error, and that the others' events are
//! written.

use super::faulty::{Fault, Faulty};
use crate::samples::{create, head_seq, id, move_at};
use crate::{AppendError, PageSize, Seq};

#[tokio::test(start_paused = true)]
async fn a_short_failure_is_retried() {
    let store = Faulty::default();
    let journal = store.open().await;
    store.inject([Fault::Transient; 3]);
    let answer = journal.append(create(id(1), [1; 32])).await.unwrap();
    assert_eq!(journal.events(id(1), Seq(0), PageSize(9)).await.unwrap()[0].hlc, answer.hlc);
    assert_eq!(store.sent().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_long_failure_is_answered_and_frees_the_number() {
    let store = Faulty::default();
    let journal = store.open().await;
    store.inject([Fault::Transient; 7]);
    let answer = journal.append(create(id(1), [1; 32])).await;
    assert!(matches!(answer, Err(AppendError::Overloaded { .. })), "{answer:?}");
    assert_eq!(head_seq(&journal, id(1)).await, None);
    journal.append(create(id(2), [2; 32])).await.unwrap();
    let sent = store.sent();
    assert_eq!(sent.first().unwrap().0, sent.last().unwrap().0);
}

#[tokio::test(start_paused = true)]
async fn a_failure_after_a_lost_attempt_never_frees_the_number() {
    let store = Faulty::default();
    let journal = store.open().await;
    // The lost attempt may still be in flight, so the writer must retry for longer than callers wait.
    store.inject([Fault::LostBefore]);
    store.inject([Fault::Transient; 40]);
    let answer = journal.append(create(id(1), [1; 32])).await;
    assert_eq!(answer, Err(AppendError::OutcomeUnknown));
    while head_seq(&journal, id(1)).await.is_none() {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    let sent = store.sent();
    assert!(sent.iter().all(|one| *one == sent[0]));
}

#[tokio::test(start_paused = true)]
async fn a_rejected_request_is_isolated_by_sending_each_alone() {
    let store = Faulty::default();
    let journal = store.open().await;
    // Fail the batch, then its first request.
    store.inject([Fault::Refused, Fault::Refused]);
    let (one, two, three) = tokio::join!(
        journal.append(create(id(1), [1; 32])),
        journal.append(create(id(2), [2; 32])),
        journal.append(create(id(3), [3; 32])),
    );
    assert!(matches!(one, Err(AppendError::Refused { .. })));
    assert!(two.unwrap().hlc < three.unwrap().hlc);
    assert_eq!(store.sent().len(), 4);
    assert_eq!(head_seq(&journal, id(1)).await, None);
    journal.append(move_at(id(2), 2)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn only_a_match_with_a_conflict_is_contended() {
    let store = Faulty::default();
    let journal = store.open().await;
    for n in 1..=2 {
        journal.append(create(id(n), [u8::try_from(n).unwrap(); 32])).await.unwrap();
    }
    let is_contended = |n| journal.inner.contention.contains(id(n));
    journal.append(move_at(id(1), 2)).await.unwrap();
    assert!(!is_contended(1));
    assert_eq!(journal.append(move_at(id(1), 2)).await, Err(AppendError::Conflict));
    assert!(is_contended(1));
    // Nobody else writes to a match whose history was lost.
    store.memory.remove_event(id(2), Seq(1));
    assert_eq!(journal.append(move_at(id(2), 2)).await, Err(AppendError::HistoryChanged));
    assert!(!is_contended(2));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_committed_between_two_appends() {
    let store = Faulty::default();
    let journal = store.open().await;
    journal.append(create(id(1), [1; 32])).await.unwrap();
    journal.append(move_at(id(1), 2)).await.unwrap();
    let numbers: Vec<_> = store.sent().into_iter().map(|(number, ..)| number).collect();
    assert_eq!(numbers, [numbers[0], numbers[0].next()]);
}
