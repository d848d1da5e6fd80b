//! Dropped calls, full queues and closed journals.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::poll;
use journal::{AppendError, Seq};
use rstest::rstest;

use crate::samples::{created, created_beside, head_seq, log, move_at};
use crate::stores::{Kind, TestStore, eventually};

#[rstest]
#[tokio::test]
async fn a_dropped_call_is_still_executed(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    {
        let mut call = Box::pin(journal.append(move_at(id, 2, hlc, "dropped")));
        assert!(poll!(&mut call).is_pending());
    }
    eventually("the event exists", async || head_seq(&journal, id).await == Some(Seq(2))).await;
    journal.append(move_at(id, 3, hlc, "next")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_full_queue_rejects_appends_and_does_not_write_them(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    // Each shard's queue has an equal part.
    let requests = 4 * usize::from(store.shards.count());
    let journal = store.open_with(|config| config.limits.queue_requests = requests).await;
    let mut matches = vec![created(&journal).await];
    for _ in 1..12 {
        matches.push(created_beside(&journal, matches[0].0).await);
    }
    let answers = join_all(matches.iter().map(|&(id, hlc)| journal.append(move_at(id, 2, hlc, "x")))).await;
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
async fn the_queue_is_bounded_in_bytes(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open_with(|config| config.limits.queue_bytes = 1).await;
    let (one, hlc) = created(&journal).await;
    let (two, _) = created_beside(&journal, one).await;
    let answers = join_all([one, two].map(|id| journal.append(move_at(id, 2, hlc, "x")))).await;
    // An empty queue accepts a request above the limit, but not a second one.
    assert!(answers[0].is_ok());
    assert!(matches!(answers[1], Err(AppendError::Overloaded { .. })));
    journal.append(move_at(two, 2, hlc, "x")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn closing_writes_queued_appends_and_rejects_later_ones(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open_with(|config| config.limits.batch_events = 2).await;
    let matches = join_all((0..10).map(|_| created(&journal))).await;
    let left = journal.clone();
    let appends = join_all(matches.iter().map(|&(id, hlc)| journal.append(move_at(id, 2, hlc, "x"))));
    let mut appends = Box::pin(appends);
    assert!(poll!(&mut appends).is_pending());
    let ((), answers) = tokio::join!(left.close(), appends);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let (id, hlc) = matches[0];
    assert_eq!(journal.append(move_at(id, 3, hlc, "x")).await, Err(AppendError::Stopped));
}
