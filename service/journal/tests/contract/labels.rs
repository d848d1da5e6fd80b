//! Labels and external ids: what an owner notes about its matches, outside their logs.

use std::collections::HashMap;

use futures_util::future::join_all;
use journal::{Append, AppendError, Labels, MatchId, MatchRow, Registered};
use rstest::rstest;

use crate::samples::{create, created, log, move_at, new_id, new_id_of, registered, row};
use crate::stores::{Kind, TestStore};

fn labels(pairs: &[(&str, &str)]) -> Labels {
    Labels(pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect())
}

/// Appends a match to which an owner gives an external id.
fn with_external_id(owner: &str, id: &str) -> Append {
    let match_id = new_id_of(&format!("{owner} {id}"));
    let registered = Registered { external_id: Some(id.to_owned()), ..registered(owner, None) };
    Append { match_row: Some(MatchRow { registered, ..row(match_id) }), ..create(match_id) }
}

#[rstest]
#[tokio::test]
async fn labels_are_appended_with_a_match_and_replaced_as_a_whole(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (labelled, (plain, _)) = (new_id(), created(&journal).await);
    let first = labels(&[("tenant", "acme ♛"), ("empty", "")]);
    let hlc = journal.append(Append { labels: first.clone(), ..create(labelled) }).await.unwrap().hlc;
    let both = [labelled, plain, new_id()];
    assert_eq!(journal.labels(&both).await.unwrap(), HashMap::from([(labelled, first)]));
    assert_eq!(journal.labels(&[]).await.unwrap(), HashMap::new());

    let second = labels(&[("tenant", "other"), ("round", "2")]);
    for id in [labelled, plain] {
        journal.set_labels(id, second.clone()).await.unwrap();
    }
    let found = journal.labels(&both).await.unwrap();
    assert_eq!(found, HashMap::from([(labelled, second.clone()), (plain, second.clone())]));
    // The match's later rows leave the labels alone, and labels leave the log alone.
    let append = Append { match_row: Some(row(labelled)), ..move_at(labelled, 2, hlc, "x") };
    journal.append(append).await.unwrap();
    assert_eq!(journal.labels(&[labelled]).await.unwrap()[&labelled], second);
    assert_eq!(log(&journal, labelled).await.len(), 2);

    journal.set_labels(labelled, Labels::default()).await.unwrap();
    assert_eq!(journal.labels(&[labelled]).await.unwrap(), HashMap::new());
    // A match that does not exist gets none.
    let missing = new_id();
    journal.set_labels(missing, labels(&[("a", "b")])).await.unwrap();
    assert_eq!(journal.labels(&[missing]).await.unwrap(), HashMap::new());
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_changes_one_wins_as_a_whole(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, _) = created(&journal).await;
    let given: Vec<Labels> = (0..20)
        .map(|n| labels(&[("all", &format!("{n}")), (["x", "y", "z"][n % 3], &format!("{n}"))]))
        .collect();
    for done in join_all(given.iter().map(|labels| journal.set_labels(id, labels.clone()))).await {
        done.unwrap();
    }
    let found = journal.labels(&[id]).await.unwrap().remove(&id).unwrap();
    assert!(given.contains(&found), "{:?}", found.0);
}

#[rstest]
#[tokio::test]
async fn labels_of_a_later_append_are_rejected(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let some = labels(&[("a", "b")]);
    let later = Append { labels: some.clone(), ..move_at(id, 2, hlc, "x") };
    let without_row = Append { labels: some, match_row: None, ..create(new_id()) };
    for append in [later, without_row] {
        let answer = journal.append(append).await;
        assert!(matches!(answer, Err(AppendError::Refused { .. })), "{answer:?}");
    }
}

#[rstest]
#[tokio::test]
async fn an_external_id_is_given_once_per_owner(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    // In one batch, with another owner's.
    let together = [("ann", "game 1"), ("bob", "game 1"), ("ann", "game 1"), ("ann", "game 2")]
        .map(|(owner, id)| with_external_id(owner, id));
    let ids = together.clone().map(|append| append.match_id);
    let answers = join_all(together.into_iter().map(|append| journal.append(append))).await;
    assert!(answers[0].is_ok() && answers[1].is_ok() && answers[3].is_ok(), "{answers:?}");
    assert_eq!(answers[2], Err(AppendError::DuplicateCreate));
    assert_eq!(journal.head(ids[2]).await.unwrap(), None);
    // In a later batch.
    let again = journal.append(with_external_id("ann", "game 2")).await;
    assert_eq!(again, Err(AppendError::DuplicateCreate));
    let found = async |owner: &str, id: &str| -> Option<MatchId> {
        journal.match_by_external_id(owner, id).await.unwrap().map(|row| row.match_id)
    };
    assert_eq!(found("ann", "game 1").await, Some(ids[0]));
    assert_eq!(found("bob", "game 1").await, Some(ids[1]));
    assert_eq!(found("bob", "game 2").await, None);
    let row = journal.match_row(ids[0]).await.unwrap().unwrap();
    assert_eq!(row.registered.external_id.as_deref(), Some("game 1"));
}
