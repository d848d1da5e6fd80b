//! Reading beside whoever serves: everything is there, nothing is written, and an older schema will do.

use journal::{
    JournalConfig, MatchFilter, Migrations, OpenError, Reader, RecordedTime, SchemaError, Scope, Seq,
};
use rstest::rstest;
use sqlx::{Connection, Executor, SqliteConnection};

use crate::samples::{created, move_at};
use crate::stores::{Kind, TestStore};

fn everything() -> MatchFilter {
    MatchFilter {
        scope: Scope::Everything,
        game: None,
        status: None,
        player: None,
        created_since: None,
        created_before: None,
        before: None,
        limit: 2,
    }
}

#[rstest]
#[tokio::test]
async fn a_reader_sees_what_the_journal_writes(#[values(Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let (id, clock) = created(&journal).await;
        journal.append(move_at(id, 2, clock, "x")).await.unwrap();
        ids.push(id);
    }
    let reader = Reader::open(&store.config()).await.unwrap();
    let since = RecordedTime(i64::MIN);
    assert_eq!(reader.count_matches(None, since).await, Ok(3));
    assert_eq!(reader.count_matches(Some("ludus-magus"), since).await, Ok(3));
    assert_eq!(reader.count_matches(Some("chess"), since).await, Ok(0));
    assert_eq!(reader.count_matches(None, RecordedTime(i64::MAX)).await, Ok(0));
    let mut listed = reader.list_matches(&everything()).await.unwrap();
    let rest = MatchFilter { before: Some(listed[1].match_id), ..everything() };
    listed.extend(reader.list_matches(&rest).await.unwrap());
    let mut listed: Vec<_> = listed.iter().map(|row| row.match_id).collect();
    listed.sort_unstable();
    ids.sort_unstable();
    assert_eq!(listed, ids);
    assert_eq!(reader.events(ids[0], Seq(1), 10).await.unwrap()[0].event.seq, Seq(2));
    assert_eq!(reader.match_row(ids[0]).await.unwrap().unwrap().match_id, ids[0]);
    reader.close().await;
    // And the journal has noticed nothing.
    created(&journal).await;
    journal.close().await;
}

#[tokio::test]
async fn a_role_that_may_only_look_is_enough() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    store.open().await.close().await;
    let database = store.database.as_ref().unwrap();
    let role = format!("looker_{}", uuid::Uuid::new_v4().simple());
    let make = format!("CREATE ROLE {role} LOGIN; GRANT SELECT ON event, match, _sqlx_migrations TO {role}");
    database.execute(&make).await.unwrap();
    let lanes = database.number("SELECT count(*) FROM lane").await;
    let url = database.url_as(&role).parse().unwrap();
    let reader = Reader::open(&JournalConfig::new(url)).await.unwrap();
    assert_eq!(reader.count_matches(None, RecordedTime(0)).await, Ok(0));
    reader.close().await;
    assert_eq!(database.number("SELECT count(*) FROM lane").await, lanes);
    database.execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn an_older_schema_can_be_read(#[values(Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    created(&journal).await;
    journal.close().await;
    let undo = "DROP INDEX event_by_clock; DELETE FROM _sqlx_migrations WHERE version = 3";
    match &store.database {
        Some(database) => drop(database.execute(undo).await.unwrap()),
        None => {
            let mut connection = SqliteConnection::connect(&store.url).await.unwrap();
            connection.execute(undo).await.unwrap();
            connection.close().await.unwrap();
        }
    }
    let require = JournalConfig { migrations: Migrations::Require, ..store.config() };
    let behind = SchemaError::Behind { version: 3, name: "feed".to_owned() };
    assert!(
        matches!(journal::Journal::open(require).await, Err(OpenError::Schema(error)) if error == behind)
    );
    let reader = Reader::open(&store.config()).await.unwrap();
    assert_eq!(reader.list_matches(&everything()).await.unwrap().len(), 1);
}

#[rstest]
#[tokio::test]
async fn without_tables_there_is_nothing_to_read(#[values(Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let error = Reader::open(&store.config()).await.err().unwrap();
    match kind {
        Kind::Sqlite => assert!(matches!(error, OpenError::Unreachable(_)), "{error}"),
        _ => assert!(matches!(error, OpenError::NotMigrated { .. }), "{error}"),
    }
    if kind == Kind::Sqlite {
        assert!(!std::path::Path::new(store.path()).exists(), "reading makes no file");
    }
}
