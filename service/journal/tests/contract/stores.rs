//! The stores that the suite runs against, each test with a fresh one.

use std::time::{Duration, Instant};

use journal::{Journal, JournalConfig, Shards, migrate};
use sqlx::{AssertSqlSafe, Connection, Executor, SqliteConnection};
use tempfile::TempDir;

use crate::database::TestDatabase;

/// The kinds of stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Memory,
    Sqlite,
    Postgres,
    /// Postgres with four shards.
    Sharded,
}

impl Kind {
    /// Returns the number of shards of its databases.
    pub(crate) fn shards(self) -> Shards {
        match self {
            Kind::Memory | Kind::Sqlite | Kind::Postgres => Shards::ONE,
            Kind::Sharded => Shards::new(4).unwrap(),
        }
    }
}

/// An empty database that is dropped with the test.
pub(crate) struct TestStore {
    pub(crate) url: String,
    pub(crate) database: Option<TestDatabase>,
    pub(crate) shards: Shards,
    _dir: Option<TempDir>,
}

impl TestStore {
    /// Creates one. Returns `None` if there is no Postgres server; the test is then reported as skipped.
    pub(crate) async fn new(kind: Kind) -> Option<TestStore> {
        let shards = kind.shards();
        match kind {
            Kind::Memory => Some(TestStore { url: "memory:".to_owned(), database: None, shards, _dir: None }),
            Kind::Sqlite => {
                let dir = tempfile::tempdir().unwrap();
                let url = format!("sqlite://{}", dir.path().join("test.db").display());
                Some(TestStore { url, database: None, shards, _dir: Some(dir) })
            }
            Kind::Postgres | Kind::Sharded => {
                let database = TestDatabase::create().await?;
                let store = TestStore { url: database.url(), database: Some(database), shards, _dir: None };
                if kind == Kind::Sharded {
                    migrate(&store.url.parse().unwrap(), Some(shards), None).await.unwrap();
                }
                Some(store)
            }
        }
    }

    /// Returns how many writers a replica has.
    pub(crate) fn writers(&self) -> i64 {
        2 * i64::from(self.shards.count())
    }

    pub(crate) fn config(&self) -> JournalConfig {
        JournalConfig::new(self.url.parse().unwrap())
    }

    pub(crate) async fn open(&self) -> Journal {
        Journal::open(self.config()).await.unwrap()
    }

    pub(crate) async fn open_with(&self, change: impl FnOnce(&mut JournalConfig)) -> Journal {
        let mut config = self.config();
        change(&mut config);
        Journal::open(config).await.unwrap()
    }

    /// Executes SQL behind the program's back.
    pub(crate) async fn execute(&self, sql: &str) {
        self.try_execute(sql).await.unwrap();
    }

    /// Executes SQL behind the program's back, or returns the database's error.
    pub(crate) async fn try_execute(&self, sql: &str) -> Result<(), sqlx::Error> {
        match &self.database {
            Some(database) => database.execute(sql).await.map(drop),
            None => self.file().await.execute(AssertSqlSafe(sql)).await.map(drop),
        }
    }

    /// Returns the number that a query selects.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        match &self.database {
            Some(database) => database.number(sql).await,
            None => sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut self.file().await).await.unwrap(),
        }
    }

    async fn file(&self) -> SqliteConnection {
        SqliteConnection::connect(&self.url).await.unwrap()
    }

    /// Returns the path of the SQLite file.
    pub(crate) fn path(&self) -> &str {
        self.url.strip_prefix("sqlite://").unwrap()
    }
}

/// Waits until a condition holds, at most a minute.
pub(crate) async fn eventually<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < Duration::from_secs(60), "did not happen: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
