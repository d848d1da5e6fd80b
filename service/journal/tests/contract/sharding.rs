//! Several shards: rows are in the shard of their match and in no other, and a database keeps its number.

use std::collections::HashSet;

use futures_util::future::join_all;
use journal::{Append, DeadlineChange, Journal, Labels, OpenError, RecordTime, Seq, Shards, migrate};
use rstest::rstest;

use crate::samples::{claimed, create, created, log, move_at, new_id, row};
use crate::stores::{Kind, TestStore};

fn two() -> Option<Shards> {
    Shards::new(2)
}

/// Creates a match that has a row in every table.
fn create_in_every_table() -> Append {
    let id = new_id();
    Append {
        match_row: Some(journal::MatchRow { seats: vec![claimed("Bo"), None], ..row(id) }),
        labels: Labels([("stage".to_owned(), "final".to_owned())].into()),
        deadline: DeadlineChange::Set { seq: Seq(1), due: RecordTime(9) },
        ..create(id)
    }
}

#[tokio::test]
async fn each_row_is_in_the_shard_of_its_match_and_each_writer_writes_into_one() {
    let Some(store) = TestStore::new(Kind::Sharded).await else { return };
    let journal = store.open().await;
    assert_eq!(journal.shards(), store.shards);
    let creates: Vec<Append> = (0..40).map(|_| create_in_every_table()).collect();
    let shards: HashSet<_> = creates.iter().map(|append| store.shards.of(append.match_id)).collect();
    assert_eq!(shards.len(), 4);
    let answers = join_all(creates.iter().map(|append| journal.append(append.clone()))).await;
    for (append, answer) in creates.iter().zip(answers) {
        let (id, hlc) = (append.match_id, answer.unwrap().hlc);
        journal.append(move_at(id, 2, hlc, "x")).await.unwrap();
        journal.set_labels(id, append.labels.clone()).await.unwrap();
        journal.erase_player(id, 0).await.unwrap();
        assert_eq!(log(&journal, id).await.len(), 2);
        // The formula of docs/scale.md, by which the database computes it.
        let formula = format!("SELECT match_shard('{}')::bigint", id.0);
        assert_eq!(store.number(&formula).await, i64::from(store.shards.of(id).number()));
    }
    assert_eq!(journal.due(RecordTime(9), journal::PageSize(100)).await.unwrap().len(), 40);
    for table in ["event", "match", "match_seat", "match_label", "deadline"] {
        let all = format!("SELECT count(*) FROM {table}");
        let astray = format!("{all} WHERE shard <> match_shard(match_id)");
        assert!(store.number(&all).await >= 40, "{table}");
        assert_eq!(store.number(&astray).await, 0, "{table}");
    }
    let astray =
        "SELECT count(*) FROM commit_log c JOIN writer w ON w.writer = c.writer WHERE c.shard <> w.shard";
    assert_eq!(store.number(astray).await, 0);
    let astray = "SELECT count(*) FROM event e JOIN writer w ON w.writer = e.writer WHERE e.shard <> w.shard";
    assert_eq!(store.number(astray).await, 0);
}

#[tokio::test]
async fn every_unique_key_of_the_hot_path_contains_the_shard_and_its_primary_keys_begin_with_it() {
    let Some(store) = TestStore::new(Kind::Sharded).await else { return };
    let keys = |condition: &str| {
        format!(
            "SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
             WHERE i.indisunique AND c.relname IN ('event', 'match', 'match_seat', 'match_label', 'deadline',
                                                   'commit_log', 'archived_match')
               AND i.indkey[0] {condition} (SELECT attnum FROM pg_attribute a
                                            WHERE a.attrelid = c.oid AND a.attname = 'shard')"
        )
    };
    assert_eq!(store.number(&keys("=")).await, 9);
    assert_eq!(store.number(&keys("<>")).await, 0);
}

#[tokio::test]
async fn a_database_gets_its_shards_before_it_is_served_and_keeps_them() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let url = store.url.parse().unwrap();
    // Migrated already, as if the program that creates it was killed in between.
    migrate(&url, None, None).await.unwrap();
    let all = join_all((0..3).map(|_| migrate(&url, two(), None))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    for wanted in [Shards::ONE, Shards::new(3).unwrap()] {
        let error = migrate(&url, Some(wanted), None).await.unwrap_err();
        let OpenError::OtherShards { stored, wanted: found } = error else { panic!("{error}") };
        assert_eq!((Some(stored), found), (two(), wanted));
    }
    let journal = store.open().await;
    assert_eq!(Some(journal.shards()), two());
    let (id, _) = created(&journal).await;
    journal.close().await;
    migrate(&url, two(), None).await.unwrap();
    assert_eq!(log(&store.open().await, id).await.len(), 1);
}

#[tokio::test]
async fn a_database_that_was_served_with_one_shard_keeps_it() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let url = store.url.parse().unwrap();
    store.open().await.close().await;
    let error = migrate(&url, two(), None).await.unwrap_err();
    let told =
        "the database has 1 shard and can't get 2: the number is chosen before a database is first served";
    assert_eq!(error.to_string(), told);
    assert_eq!(store.open().await.shards(), Shards::ONE);
    migrate(&url, Some(Shards::ONE), None).await.unwrap();
    let error = store.try_execute("UPDATE sharding SET shards = 2").await.unwrap_err();
    assert!(error.to_string().contains("the number of shards never changes"), "{error}");
}

#[rstest]
#[tokio::test]
async fn other_databases_have_one_shard(#[values(Kind::Memory, Kind::Sqlite)] kind: Kind) {
    let store = TestStore::new(kind).await.unwrap();
    let url = store.url.parse().unwrap();
    let error = migrate(&url, two(), None).await.unwrap_err();
    assert!(matches!(error, OpenError::NoShards), "{error}");
    if kind == Kind::Sqlite {
        assert!(!std::path::Path::new(store.path()).exists(), "the refusal created a file");
    }
    migrate(&url, Some(Shards::ONE), None).await.unwrap();
    assert_eq!(store.open().await.shards(), Shards::ONE);
}

/// As after a restore of some of the tables.
#[rstest]
#[tokio::test]
async fn keys_that_do_not_suit_the_number_of_shards_are_noticed_at_the_start(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    store.open().await.close().await;
    let shard = if kind == Kind::Sharded { "" } else { "shard, " };
    let rekey = |table: &str, key: &str| {
        format!("ALTER TABLE {table} DROP CONSTRAINT {table}_pkey, ADD PRIMARY KEY ({shard}{key})")
    };
    store.execute(&rekey("event", "match_id, seq")).await;
    store.execute(&rekey("commit_log", "writer, batch")).await;
    for error in [
        Journal::open(store.config()).await.err(),
        journal::Reader::open(&store.config()).await.err(),
        migrate(&store.url.parse().unwrap(), Some(store.shards), None).await.err(),
    ] {
        let Some(OpenError::ShardKeys { shards, tables }) = error else { panic!("{error:?}") };
        assert_eq!((shards, tables.as_str()), (store.shards, "event, commit_log"));
    }
    store.execute("ALTER TABLE sharding DISABLE TRIGGER ALL; DELETE FROM sharding").await;
    let error = Journal::open(store.config()).await.unwrap_err();
    assert!(matches!(error, OpenError::UnknownShards), "{error}");
}

#[rstest]
#[tokio::test]
async fn a_database_of_the_version_before_shards_gets_one(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let append = create_in_every_table();
    let (id, hlc) = (append.match_id, journal.append(append).await.unwrap().hlc);
    journal.close().await;
    for table in
        ["event", "match", "match_seat", "match_label", "deadline", "commit_log", "archived_match", "writer"]
    {
        store.execute(&format!("ALTER TABLE {table} DROP COLUMN shard")).await;
    }
    store.execute("DROP TABLE sharding; DELETE FROM _sqlx_migrations WHERE version >= 3").await;
    if kind == Kind::Postgres {
        store.execute("DROP FUNCTION refuse_other_shards").await;
    }
    // It can be read as it is.
    let reader = journal::Reader::open(&store.config()).await.unwrap();
    assert_eq!(reader.events(id, Seq(0), journal::PageSize(9)).await.unwrap().len(), 1);
    reader.close().await;
    let journal = store.open().await;
    assert_eq!(journal.shards(), Shards::ONE);
    journal.append(move_at(id, 2, hlc, "x")).await.unwrap();
    assert_eq!(log(&journal, id).await.len(), 2);
    assert_eq!(store.number("SELECT count(*) FROM event WHERE shard = 0").await, 2);
}
