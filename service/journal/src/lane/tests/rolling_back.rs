//! Batches that the database rolled back: who is told what, and that the others are written.

use super::faulty::{Fault, Faulty};
use crate::lane::samples::{create, id, move_at};
use crate::{AppendError, Seq};

#[tokio::test(start_paused = true)]
async fn a_passing_trouble_is_not_noticed() {
    let store = Faulty::default();
    let journal = store.open().await;
    store.order([Fault::Transient; 3]);
    let answer = journal.append(create(id(1), [1; 32])).await.unwrap();
    assert_eq!(journal.events(id(1), Seq(0), 9).await.unwrap()[0].clock, answer.clock);
    assert_eq!(store.sent().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_lasting_trouble_is_told_and_its_number_is_used_again() {
    let store = Faulty::default();
    let journal = store.open().await;
    store.order([Fault::Transient; 7]);
    let answer = journal.append(create(id(1), [1; 32])).await;
    assert!(matches!(answer, Err(AppendError::Overloaded { .. })), "{answer:?}");
    assert_eq!(journal.head(id(1)).await.unwrap(), None);
    journal.append(create(id(2), [2; 32])).await.unwrap();
    let sent = store.sent();
    assert_eq!(sent.first().unwrap().0, sent.last().unwrap().0);
}

#[tokio::test(start_paused = true)]
async fn after_a_lost_attempt_trouble_never_frees_the_number() {
    let store = Faulty::default();
    let journal = store.open().await;
    // The lost attempt may still be under way, so the lane must insist, for longer than callers wait.
    store.order([Fault::LostBefore]);
    store.order([Fault::Transient; 40]);
    let answer = journal.append(create(id(1), [1; 32])).await;
    assert_eq!(answer, Err(AppendError::OutcomeUnknown));
    while journal.head(id(1)).await.unwrap().is_none() {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    let sent = store.sent();
    assert!(sent.iter().all(|one| *one == sent[0]));
}

#[tokio::test(start_paused = true)]
async fn who_is_to_blame_is_found_by_sending_each_alone() {
    let store = Faulty::default();
    let journal = store.open().await;
    // The batch, then the first of it, are refused.
    store.order([Fault::Refused, Fault::Refused]);
    let (one, two, three) = tokio::join!(
        journal.append(create(id(1), [1; 32])),
        journal.append(create(id(2), [2; 32])),
        journal.append(create(id(3), [3; 32])),
    );
    assert!(matches!(one, Err(AppendError::Refused { .. })));
    assert!(two.unwrap().clock < three.unwrap().clock);
    assert_eq!(store.sent().len(), 4);
    assert_eq!(journal.head(id(1)).await.unwrap(), None);
    journal.append(move_at(id(2), 2)).await.unwrap();
}
