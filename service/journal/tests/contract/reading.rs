//! Reading while another process serves: everything is visible, nothing is written, and an older schema
//! suffices.

use journal::{
    Append, JournalConfig, MatchFilter, MatchOutcome, MatchRow, MatchStatus, Migrations, OpenError, PageSize,
    Reader, RecordTime, SchemaError, Scope, Seq,
};
use rstest::rstest;

use crate::samples::{create, created, move_at, new_id, row};
use crate::stores::{Kind, TestStore};

fn everything() -> MatchFilter {
    MatchFilter::of(Scope::Everything, 2)
}

#[rstest]
#[tokio::test]
async fn a_reader_sees_what_the_journal_writes(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let (id, hlc) = created(&journal).await;
        journal.append(move_at(id, 2, hlc, "x")).await.unwrap();
        ids.push(id);
    }
    let reader = Reader::open(&store.config()).await.unwrap();
    let since = RecordTime(i64::MIN);
    assert_eq!(reader.count_matches(None, since).await, Ok(3));
    assert_eq!(reader.count_matches(Some("ludus-magus"), since).await, Ok(3));
    assert_eq!(reader.count_matches(Some("chess"), since).await, Ok(0));
    assert_eq!(reader.count_matches(None, RecordTime(i64::MAX)).await, Ok(0));
    let mut listed = reader.list_matches(&everything()).await.unwrap().rows;
    let rest = MatchFilter { before: Some(listed[1].match_id), ..everything() };
    listed.extend(reader.list_matches(&rest).await.unwrap().rows);
    let mut listed: Vec<_> = listed.iter().map(|row| row.match_id).collect();
    listed.sort_unstable();
    ids.sort_unstable();
    assert_eq!(listed, ids);
    assert_eq!(reader.events(ids[0], Seq(1), PageSize(10)).await.unwrap()[0].event.seq, Seq(2));
    assert_eq!(reader.match_row(ids[0]).await.unwrap().unwrap().match_id, ids[0]);
    reader.close().await;
    // The journal is not affected.
    created(&journal).await;
    journal.close().await;
}

#[rstest]
#[tokio::test]
async fn a_role_that_may_only_read_suffices(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    store.open().await.close().await;
    let database = store.database.as_ref().unwrap();
    let role = format!("reader_{}", uuid::Uuid::new_v4().simple());
    let make = format!("CREATE ROLE {role} LOGIN; GRANT SELECT ON event, match, _sqlx_migrations TO {role}");
    database.execute(&make).await.unwrap();
    let writers = database.number("SELECT count(*) FROM writer").await;
    let url = database.url_as(&role).parse().unwrap();
    let reader = Reader::open(&JournalConfig::new(url)).await.unwrap();
    assert_eq!(reader.count_matches(None, RecordTime(0)).await, Ok(0));
    reader.close().await;
    assert_eq!(database.number("SELECT count(*) FROM writer").await, writers);
    database.execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_schema_that_is_not_this_programs_can_be_read(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    created(&journal).await;
    journal.close().await;
    // An applied migration with another text: serving requires this program's, reading does not.
    let change = "DROP INDEX event_by_hlc; UPDATE _sqlx_migrations SET checksum = '' WHERE version = 1";
    store.execute(change).await;
    let require = JournalConfig { migrations: Migrations::Require, ..store.config() };
    let changed = SchemaError::Changed { version: 1 };
    assert!(
        matches!(journal::Journal::open(require).await, Err(OpenError::Schema(error)) if error == changed)
    );
    let reader = Reader::open(&store.config()).await.unwrap();
    assert_eq!(reader.list_matches(&everything()).await.unwrap().rows.len(), 1);
}

#[rstest]
#[tokio::test]
async fn a_column_that_an_older_programs_table_lacks_is_absent(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let id = new_id();
    let ended = MatchRow {
        status: MatchStatus::Over,
        end_time: Some(RecordTime(2)),
        outcome: Some(MatchOutcome::Win),
        ranks: vec![2, 1],
        reason: Some("resigned".to_owned()),
        ..row(id)
    };
    journal.append(Append { match_row: Some(ended.clone()), ..create(id) }).await.unwrap();
    journal.close().await;
    // The columns after it move up, as they would not in an older table; names tell them apart.
    store.execute("ALTER TABLE match DROP COLUMN reason").await;
    let reader = Reader::open(&store.config()).await.unwrap();
    let read = MatchRow { reason: None, ..ended };
    assert_eq!(reader.match_row(id).await, Ok(Some(read.clone())));
    assert_eq!(reader.list_matches(&everything()).await.unwrap().rows, [read]);
    reader.close().await;
}

#[rstest]
#[tokio::test]
async fn reading_fails_without_tables(#[values(Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let error = Reader::open(&store.config()).await.err().unwrap();
    match kind {
        Kind::Sqlite => assert!(matches!(error, OpenError::NoFile { .. }), "{error}"),
        _ => assert!(matches!(error, OpenError::NotMigrated { .. }), "{error}"),
    }
    if kind == Kind::Sqlite {
        assert!(!std::path::Path::new(store.path()).exists(), "reading created a file");
    }
}
