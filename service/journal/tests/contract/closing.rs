//! Calls that are dropped, queues that are full, journals that are closed.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::poll;
use journal::{AppendError, Seq};
use rstest::rstest;

use crate::samples::{created, log, move_at};
use crate::stores::{Kind, TestStore, eventually};

#[rstest]
#[tokio::test]
async fn a_dropped_call_is_carried_out_all_the_same(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, clock) = created(&journal).await;
    {
        let mut call = Box::pin(journal.append(move_at(id, 2, clock, "dropped")));
        assert!(poll!(&mut call).is_pending());
    }
    eventually("the event is there", async || journal.head(id).await.unwrap() == Some(Seq(2))).await;
    journal.append(move_at(id, 3, clock, "next")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_full_queue_refuses_and_what_it_refused_is_not_written(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open_with(|config| config.limits.queue_requests = 4).await;
    let mut matches = Vec::new();
    for _ in 0..12 {
        matches.push(created(&journal).await);
    }
    let answers =
        join_all(matches.iter().map(|&(id, clock)| journal.append(move_at(id, 2, clock, "x")))).await;
    for ((id, _), answer) in matches.into_iter().zip(&answers) {
        let written = log(&journal, id).await.len() == 2;
        match answer {
            Ok(_) => assert!(written),
            Err(AppendError::Overloaded { retry_after }) => {
                assert!(!written && *retry_after > Duration::ZERO);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 4);
}

#[rstest]
#[tokio::test]
async fn bytes_in_the_queue_are_bounded_too(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open_with(|config| config.limits.queue_bytes = 1).await;
    let (one, clock) = created(&journal).await;
    let (two, _) = created(&journal).await;
    let answers = join_all([one, two].map(|id| journal.append(move_at(id, 2, clock, "x")))).await;
    // A request larger than the bound goes through an empty queue, the next one does not.
    assert!(answers[0].is_ok());
    assert!(matches!(answers[1], Err(AppendError::Overloaded { .. })));
    journal.append(move_at(two, 2, clock, "x")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn closing_writes_what_is_queued_and_refuses_what_comes_later(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open_with(|config| config.limits.batch_events = 2).await;
    let matches = join_all((0..10).map(|_| created(&journal))).await;
    let left = journal.clone();
    let appends = join_all(matches.iter().map(|&(id, clock)| journal.append(move_at(id, 2, clock, "x"))));
    let mut appends = Box::pin(appends);
    assert!(poll!(&mut appends).is_pending());
    let ((), answers) = tokio::join!(left.close(), appends);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let (id, clock) = matches[0];
    assert_eq!(journal.append(move_at(id, 3, clock, "x")).await, Err(AppendError::Stopped));
}
