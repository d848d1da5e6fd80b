//! Two callers append at the same position of a match: one succeeds, the other gets a conflict, and no other
//! append fails.

use futures_util::future::join_all;
use journal::{Append, AppendError, MatchRow};
use rstest::rstest;

use crate::samples::{claimed, create, created, head_seq, log, move_at, new_id, new_id_of, registered, row};
use crate::stores::{Kind, TestStore};

// These tests run on one thread: `join_all` queues all its appends before the writer runs, so they form one
// batch.

#[rstest]
#[tokio::test]
async fn an_existing_position_is_a_conflict(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let hlc = journal.append(move_at(id, 2, hlc, "first")).await.unwrap().hlc;
    assert_eq!(journal.append(move_at(id, 2, hlc, "second")).await, Err(AppendError::Conflict));
    assert_eq!(journal.append(create(id)).await, Err(AppendError::Conflict));
    // The next append succeeds.
    journal.append(move_at(id, 3, hlc, "first")).await.unwrap();
    let log = log(&journal, id).await;
    assert_eq!(log.len(), 3);
    assert!(log[1].event.public.starts_with(b"first"));
}

#[rstest]
#[tokio::test]
async fn a_conflict_in_a_batch_fails_no_other_append(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let matches = join_all((0..20).map(|_| created(&journal))).await;
    let (loser, hlc) = matches[7];
    journal.append(move_at(loser, 2, hlc, "earlier")).await.unwrap();
    let answers =
        join_all(matches.iter().map(|&(id, hlc)| journal.append(move_at(id, 2, hlc, "batch")))).await;
    for (&(id, _), answer) in matches.iter().zip(answers) {
        let log = log(&journal, id).await;
        assert_eq!(log.len(), 2);
        if id == loser {
            assert_eq!(answer, Err(AppendError::Conflict));
            assert!(log[1].event.public.starts_with(b"earlier"));
        } else {
            assert_eq!(answer.unwrap().hlc, log[1].hlc);
        }
    }
}

#[rstest]
#[tokio::test]
async fn of_two_appends_to_a_position_in_a_batch_one_wins(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let answers = join_all((0..5).map(|n| journal.append(move_at(id, 2, hlc, &format!("caller-{n}"))))).await;
    let winners: Vec<usize> = (0..5).filter(|&n| answers[n].is_ok()).collect();
    assert_eq!(winners.len(), 1);
    assert_eq!(answers.iter().filter(|answer| **answer == Err(AppendError::Conflict)).count(), 4);
    let log = log(&journal, id).await;
    assert_eq!(log.len(), 2);
    assert!(log[1].event.public.starts_with(format!("caller-{}", winners[0]).as_bytes()));
}

#[rstest]
#[tokio::test]
async fn a_rejected_value_in_a_batch_fails_no_other_append(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let ids: Vec<_> = (0..9).map(|_| new_id()).collect();
    let bad = MatchRow { seats: vec![claimed(&"x".repeat(41)), None], ..row(ids[4]) };
    let append = |n: usize| {
        if n == 4 { Append { match_row: Some(bad.clone()), ..create(ids[n]) } } else { create(ids[n]) }
    };
    let answers = join_all((0..9).map(|n| journal.append(append(n)))).await;
    for (n, answer) in answers.into_iter().enumerate() {
        if n == 4 {
            let Err(AppendError::Refused { what }) = answer else { panic!("{answer:?}") };
            assert!(!what.contains("xxxx"), "the error contains the value: {what}");
            assert_eq!(head_seq(&journal, ids[n]).await, None);
            assert_eq!(journal.match_row(ids[n]).await.unwrap(), None);
        } else {
            assert_eq!(answer.unwrap().hlc, log(&journal, ids[n]).await[0].hlc);
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_create_request_is_executed_once(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let by = |owner: &str, request: u8| {
        let id = new_id_of(&format!("{owner} {request}"));
        let row = MatchRow { registered: registered(owner, Some([request; 32])), ..row(id) };
        Append { match_row: Some(row), ..create(id) }
    };
    // In one batch, with another owner's.
    let together = [by("ann", 1), by("bob", 1), by("ann", 1), by("ann", 2)];
    let ids = together.clone().map(|append| append.match_id);
    let answers = join_all(together.into_iter().map(|append| journal.append(append))).await;
    assert!(answers[0].is_ok() && answers[1].is_ok() && answers[3].is_ok(), "{answers:?}");
    assert_eq!(answers[2], Err(AppendError::DuplicateCreate));
    assert_eq!(head_seq(&journal, ids[2]).await, None);
    // In a later batch.
    assert_eq!(journal.append(by("ann", 2)).await, Err(AppendError::DuplicateCreate));
    let found = journal.match_by_create_request("ann", &[1; 32]).await.unwrap().unwrap();
    assert_eq!(found.match_id, ids[0]);
    assert_eq!(journal.match_by_create_request("ann", &[3; 32]).await.unwrap(), None);
    assert_eq!(journal.match_by_create_request("cid", &[1; 32]).await.unwrap(), None);
}
