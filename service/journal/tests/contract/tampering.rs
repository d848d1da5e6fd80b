//! The database protects the log from everyone with a connection, and the commit log contains no sealed
//! bytes.

use std::time::Duration;

use bytes::Bytes;
use event::{Event, Part as _, Sealed, SealedPart};
use journal::{
    Append, DeadlineChange, Journal, JournalConfig, MAX_BYTES, MAX_SEALED_BYTES, MatchRow, Migrations,
    RecordTime, SeatRow, Seq,
};
use rstest::rstest;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, Row, SqliteConnection};

use crate::samples::{claimed, create, created, event, log, move_at, new, new_id, row, service};
use crate::stores::{Kind, TestStore, eventually};

const CHANGES: [&str; 3] =
    ["UPDATE event SET kind = 7", "UPDATE event SET seq = seq + 1 WHERE seq = 1", "DELETE FROM event"];

/// Columns of `event` with values that no service writes, in SQL for both databases.
const BAD_COLUMNS: [(&str, &str); 11] = [
    ("seq", "0"),
    ("kind", "0"),
    ("kind", "65536"),
    ("hlc", "0"),
    ("writer", "0"),
    ("batch", "0"),
    ("hash", "NULL"),
    ("public", "NULL"),
    ("record_time", "NULL"),
    ("to_act", "-1"),
    ("to_act", "256"),
];

/// Rows of `commit_log` that no service writes: writer, batch, hlc, count and body.
const BAD_COMMITS: [&str; 6] = [
    "0, 7, 7, 0, 'x'",
    "7, 0, 7, 0, 'x'",
    "7, 7, 0, 0, 'x'",
    "7, 7, 7, -1, 'x'",
    "7, 7, 7, 65536, 'x'",
    "7, 7, 7, 0, ''",
];

fn insert(column: &str, value: &str, bytes: impl Fn(usize) -> String) -> String {
    let pick = |name: &str, usual: String| if name == column { value.to_owned() } else { usual };
    let columns = [
        "shard",
        "match_id",
        "seq",
        "record_time",
        "hlc",
        "writer",
        "batch",
        "kind",
        "to_act",
        "request_hash",
        "hash",
        "public",
        "sealed",
        "sealed_hash",
    ];
    let values = columns.map(|name| match name {
        "shard" => "0".to_owned(),
        "match_id" => pick(name, bytes(16)),
        "hash" => pick(name, bytes(32)),
        "public" => pick(name, bytes(3)),
        "request_hash" | "sealed" | "sealed_hash" => pick(name, "NULL".to_owned()),
        _ => pick(name, "77".to_owned()),
    });
    format!("INSERT INTO event ({}) VALUES ({})", columns.join(", "), values.join(", "))
}

#[rstest]
#[tokio::test]
async fn postgres_rejects_changes_of_the_log(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, _) = created(&journal).await;
    let before = log(&journal, id).await;
    let database = store.database.as_ref().unwrap();
    let more = ["TRUNCATE event", "TRUNCATE event, match", "DELETE FROM event WHERE false"];
    for change in CHANGES.into_iter().chain(more) {
        let error = database.execute(change).await.unwrap_err();
        assert!(error.to_string().contains("append-only"), "{change}: {error}");
    }
    let bytes = |length: usize| match length {
        16 => format!("'{}'::uuid", new_id()),
        length => format!("decode(repeat('ab', {length}), 'hex')"),
    };
    let sizes = [
        ("hash", bytes(31)),
        ("hash", bytes(33)),
        ("request_hash", bytes(31)),
        ("sealed_hash", bytes(33)),
        ("sealed", bytes(3)),
        ("public", bytes(MAX_BYTES + 1)),
    ];
    let sizes = sizes.iter().map(|(column, value)| (*column, value.as_str()));
    for (column, value) in BAD_COLUMNS.into_iter().chain(sizes) {
        let error = database.execute(&insert(column, value, bytes)).await.unwrap_err();
        assert!(error.to_string().contains("violates"), "{column} = {value}: {error}");
    }
    // Its hash is missing as well, which is another violation.
    let error = database.execute(&insert("sealed", &bytes(MAX_SEALED_BYTES + 1), bytes)).await.unwrap_err();
    assert!(error.to_string().contains("sealed_part"), "{error}");
    for commit in BAD_COMMITS {
        let insert =
            format!("INSERT INTO commit_log (shard, writer, batch, hlc, count, body) VALUES (0, {commit})");
        let error = database.execute(&insert).await.unwrap_err();
        assert!(error.to_string().contains("violates"), "{commit}: {error}");
    }
    database.execute(&insert("", "", bytes)).await.unwrap();
    assert_eq!(log(&journal, id).await, before);
}

#[tokio::test]
async fn sqlite_rejects_changes_of_the_log() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    let journal = store.open().await;
    let (id, _) = created(&journal).await;
    let before = log(&journal, id).await;
    let mut connection = connect(&store).await;
    for change in CHANGES.into_iter().chain(["REPLACE INTO event SELECT * FROM event"]) {
        let error = connection.execute(AssertSqlSafe(change)).await.unwrap_err();
        assert!(error.to_string().contains("append-only"), "{change}: {error}");
    }
    let bytes = |length: usize| format!("zeroblob({length})");
    let short = [
        ("hash", "zeroblob(31)"),
        ("hash", "'text'"),
        ("match_id", "zeroblob(15)"),
        ("sealed", "zeroblob(3)"),
    ];
    for (column, value) in BAD_COLUMNS.into_iter().chain(short) {
        let error = connection.execute(AssertSqlSafe(insert(column, value, bytes))).await.unwrap_err();
        assert!(
            error.to_string().contains("constraint failed") || error.to_string().contains("cannot store")
        );
    }
    connection.execute(AssertSqlSafe(insert("", "", bytes))).await.unwrap();
    assert_eq!(log(&journal, id).await, before);
}

async fn connect(store: &TestStore) -> SqliteConnection {
    SqliteConnectOptions::new().filename(store.path()).connect().await.unwrap()
}

/// Returns an event with a sealed part, and its bytes.
fn secret() -> (Append, Sealed) {
    let id = new_id();
    let sealed = Bytes::from_static(b"the queen of hearts is under the third cup");
    let sealed = Sealed::from_bytes(sealed).unwrap();
    let hidden =
        new(Event { sealed: Some(SealedPart::Open(sealed.clone())), ..event(id, 1, "opener").event });
    (Append { events: vec![hidden], ..create(id) }, sealed)
}

fn assert_redacted(bodies: &[Vec<u8>], sealed: &Sealed) {
    let shows =
        |bytes: &[u8]| bodies.iter().any(|body| body.windows(bytes.len()).any(|window| window == bytes));
    assert!(!shows(sealed.as_bytes()), "the commit log contains sealed bytes");
    assert!(
        shows(b"opener") && shows(&sealed.commitment()),
        "the commit log lacks the public part or the commitment"
    );
}

#[tokio::test]
async fn the_commit_log_contains_no_sealed_bytes() {
    let (append, sealed) = secret();
    let sqlite = TestStore::new(Kind::Sqlite).await.unwrap();
    let journal = sqlite.open().await;
    journal.append(append.clone()).await.unwrap();
    let rows =
        sqlx::query("SELECT body FROM commit_log").fetch_all(&mut connect(&sqlite).await).await.unwrap();
    assert_redacted(&rows.iter().map(|row| row.get(0)).collect::<Vec<_>>(), &sealed);

    let Some(postgres) = TestStore::new(Kind::Postgres).await else { return };
    let journal = postgres.open().await;
    journal.append(append).await.unwrap();
    let mut connection = postgres.database.as_ref().unwrap().connect().await;
    let rows = sqlx::query("SELECT body FROM commit_log").fetch_all(&mut connection).await.unwrap();
    assert_redacted(&rows.iter().map(|row| row.get(0)).collect::<Vec<_>>(), &sealed);
}

#[rstest]
#[tokio::test]
async fn a_role_with_the_documented_grants_can_serve_but_not_tamper(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let database = store.database.as_ref().unwrap();
    let role = format!("matchbook_test_{}", new_id().0.simple());
    database.execute(&format!("CREATE ROLE {role} LOGIN PASSWORD '{role}'")).await.unwrap();
    journal::migrate(&store.url.parse().unwrap(), None, Some(&role)).await.unwrap();

    let url = database.url_as(&format!("{role}:{role}"));
    let mut config = JournalConfig::new(url.parse().unwrap());
    config.migrations = Migrations::Require;
    config.timing.commit_retention = Duration::ZERO;
    config.timing.prune_interval = Duration::from_millis(10);
    let journal = Journal::open(config).await.unwrap();
    journal.bind_key(&service(1)).await.unwrap();
    let (id, hlc) = created(&journal).await;
    let deadline = DeadlineChange::Set { seq: Seq(2), due: RecordTime(1) };
    let with_token = |generation| {
        let seat = claimed("Ann").map(|seat| SeatRow { generation, ..seat });
        Some(MatchRow { seats: vec![seat, None], ..row(id) })
    };
    let timed = Append { deadline, match_row: with_token(1), ..move_at(id, 2, hlc, "x") };
    journal.append(timed).await.unwrap();
    let untimed =
        Append { deadline: DeadlineChange::Clear, match_row: with_token(2), ..move_at(id, 3, hlc, "x") };
    journal.append(untimed).await.unwrap();
    assert_eq!(journal.match_row(id).await.unwrap(), with_token(2));
    eventually("old commits are pruned", async || {
        database.number("SELECT count(*) FROM commit_log").await == store.writers()
    })
    .await;
    journal.close().await;

    let mut tamperer = PgConnection::connect(&url).await.unwrap();
    let more = ["TRUNCATE event", "ALTER TABLE event DISABLE TRIGGER ALL", "DELETE FROM match_seat"];
    for change in CHANGES.into_iter().chain(more) {
        let error = tamperer.execute(AssertSqlSafe(change)).await.unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("permission denied") || message.contains("must be owner"),
            "{change}: {message}"
        );
    }
    let drop_role = format!("DROP OWNED BY {role}; DROP ROLE {role}");
    database.execute(&drop_role).await.unwrap();
}
