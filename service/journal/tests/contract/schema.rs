//! Schemas of other versions: which changes of a newer program this one accepts while it serves.

use journal::{Journal, Migrations, OpenError, SchemaError, Unready, migrate};
use rstest::rstest;
use sqlx::Executor;

use crate::samples::{created, log, move_at};
use crate::stores::{Kind, TestStore, eventually};

const TABLES: [&str; 12] = [
    "event",
    "match",
    "match_seat",
    "deadline",
    "writer",
    "commit_log",
    "webhook",
    "webhook_delivery",
    "archive_segment",
    "archived_match",
    "archive_horizon",
    "sharding",
];

/// Undoes all migrations on Postgres.
const DROP_TABLES: &str = "DROP TABLE event, match, match_seat, match_label, deadline, writer, commit_log,
    service_key, webhook, webhook_delivery, archive_segment, archived_match, archive_horizon, sharding;
    DROP FUNCTION set_match_labels; DROP FUNCTION check_archived_match; DROP FUNCTION check_archive_segment;
    DROP FUNCTION refuse_unannounced_delete; DROP FUNCTION refuse_unarchived_delete;
    DROP FUNCTION refuse_change; DROP FUNCTION refuse_other_shards;
    DROP DOMAIN positive_integer, positive_bigint, sha256_hash, event_kind, seat_set, public_part,
    sealed_part, event_count, commit_body; DELETE FROM _sqlx_migrations";

impl TestStore {
    /// Returns the last migration that was applied.
    async fn last_migration(&self) -> i64 {
        // The last one but the mark of several shards.
        self.number("SELECT max(version) FROM _sqlx_migrations WHERE version < 1000000").await
    }

    /// Records a migration as applied.
    async fn apply(&self, version: i64, name: &str) {
        self.execute(&format!(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES ({version}, '{name}', true, '', 0)"
        ))
        .await;
    }
}

#[rstest]
#[tokio::test]
async fn a_program_serves_on_a_schema_that_a_newer_one_has_extended(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
    #[values(Migrations::Apply, Migrations::Require)] migrations: Migrations,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    migrate(&store.url.parse().unwrap(), None, None).await.unwrap();
    for table in TABLES {
        store.execute(&format!("ALTER TABLE {table} ADD COLUMN later text DEFAULT 'x'")).await;
        store.execute(&format!("CREATE INDEX {table}_later ON {table} (later)")).await;
    }
    store.execute("CREATE TABLE later (a integer)").await;
    let known = store.last_migration().await;
    store.apply(known + 1, &format!("since {known:04} later")).await;

    let journal = store.open_with(|config| config.migrations = migrations).await;
    assert_eq!(journal.check().await, Ok(()));
    let (id, hlc) = created(&journal).await;
    journal.append(move_at(id, 2, hlc, "x")).await.unwrap();
    assert_eq!(log(&journal, id).await.len(), 2);
    assert!(journal.match_row(id).await.unwrap().is_some());
    assert_eq!(journal.list_matches(&everything()).await.unwrap().rows.len(), 1);
    let query = journal::FeedQuery::new(journal::Scope::Everything, 10);
    journal.wait_for_feed(None).await.unwrap();
    assert!(!journal.feed(&query).await.unwrap().events.is_empty());
    journal.close().await;
    migrate(&store.url.parse().unwrap(), None, None).await.unwrap();
}

fn everything() -> journal::MatchFilter {
    journal::MatchFilter::of(journal::Scope::Everything, 10)
}

#[rstest]
#[tokio::test]
async fn an_incompatible_newer_migration_is_rejected_by_name(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    assert_eq!(journal.check().await, Ok(()));
    let known = store.last_migration().await;
    store.apply(known + 1, &format!("since {known:04} later")).await;
    let (version, name) = (known + 2, format!("since {:04} no more of it", known + 1));
    store.apply(version, &name).await;
    let ahead = SchemaError::Ahead { version, name: name.clone(), known };
    assert_eq!(journal.check().await, Err(Unready::Schema(ahead.clone())));
    journal.close().await;
    for migrations in [Migrations::Apply, Migrations::Require] {
        let mut config = store.config();
        config.migrations = migrations;
        let error = Journal::open(config).await.unwrap_err();
        assert!(matches!(&error, OpenError::Schema(found) if *found == ahead), "{error}");
    }
    let error = migrate(&store.url.parse().unwrap(), None, None).await.unwrap_err();
    assert!(error.to_string().contains(&format!("migration {version} ({name})")), "{error}");
}

#[rstest]
#[tokio::test]
async fn missing_and_changed_migrations_are_detected(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    store.execute("UPDATE _sqlx_migrations SET version = -1 WHERE version = 1").await;
    let behind = journal.check().await;
    assert!(matches!(behind, Err(Unready::Schema(SchemaError::Behind { version: 1, .. }))), "{behind:?}");
    store.execute("UPDATE _sqlx_migrations SET version = 1, checksum = '' WHERE version = -1").await;
    let changed = journal.check().await;
    assert_eq!(changed, Err(Unready::Schema(SchemaError::Changed { version: 1 })));
    journal.close().await;
}

#[tokio::test]
async fn concurrent_starts_migrate_once() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let url: journal::DatabaseUrl = store.url.parse().unwrap();
    let all = futures_util::future::join_all((0..5).map(|_| migrate(&url, None, None))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
}

#[tokio::test]
async fn a_migration_that_waits_for_a_table_lets_others_pass() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let database = store.database.as_ref().unwrap();
    let url: journal::DatabaseUrl = store.url.parse().unwrap();
    migrate(&url, None, None).await.unwrap();
    let last = store.last_migration().await;
    // Apply the migrations once more. They have to wait for the table of migrations, whose lock conflicts
    // with their INSERT.
    store.execute(DROP_TABLES).await;
    let mut busy = database.connect().await;
    busy.execute("BEGIN; LOCK TABLE _sqlx_migrations IN SHARE MODE").await.unwrap();
    let waiting = "SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
                   WHERE c.relname = '_sqlx_migrations' AND NOT l.granted";
    let others = async {
        eventually("it waits", || async { database.number(waiting).await == 1 }).await;
        eventually("it lets others pass", || async { database.number(waiting).await == 0 }).await;
        busy.execute("COMMIT").await.unwrap();
    };
    let (migrated, ()) = tokio::join!(migrate(&url, None, None), others);
    migrated.unwrap();
    assert_eq!(database.number("SELECT max(version) FROM _sqlx_migrations WHERE success").await, last);
}

#[tokio::test]
async fn a_read_only_database_is_detected() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let journal = store.open().await;
    let name = store.url.rsplit('/').next().unwrap();
    let only_reads = |on| format!("ALTER DATABASE {name} SET default_transaction_read_only = {on}");
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    store.execute(&only_reads("on")).await;
    store.execute(cut).await;
    assert_eq!(journal.check().await, Err(Unready::ReadOnly));
    store.execute(&format!("BEGIN READ WRITE; {}; COMMIT", only_reads("off"))).await;
    store.execute(cut).await;
    assert_eq!(journal.check().await, Ok(()));
    journal.close().await;
}
