//! Databases of the tests. `MATCHBOOK_TEST_DATABASE_URL` names the Postgres server; each test creates its
//! own.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

/// The kinds of databases that have an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// An empty database, which is dropped with the test.
pub(crate) struct TestDatabase {
    url: String,
    /// The server and the database's name on it.
    server: Option<(String, String)>,
    folder: Option<TempDir>,
}

impl TestDatabase {
    /// Creates one, or prints that the test is skipped and returns `None`.
    pub(crate) async fn new(kind: Kind) -> Option<Self> {
        if kind == Kind::Sqlite {
            let folder = tempfile::tempdir().unwrap();
            let url = format!("sqlite://{}", folder.path().join("test.db").display());
            return Some(Self { url, server: None, folder: Some(folder) });
        }
        let Ok(server) = std::env::var("MATCHBOOK_TEST_DATABASE_URL") else {
            let required = std::env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_some();
            assert!(!required, "MATCHBOOK_TEST_DATABASE_URL is not set");
            println!("SKIPPED: MATCHBOOK_TEST_DATABASE_URL is not set");
            return None;
        };
        let name = format!("matchbook_test_{}", Uuid::new_v4().simple());
        let mut connection = PgConnection::connect(&server).await.unwrap();
        connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
        let (before, _) = server.rsplit_once('/').unwrap();
        Some(Self { url: format!("{before}/{name}"), server: Some((server.clone(), name)), folder: None })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the path of the SQLite file.
    pub(crate) fn path(&self) -> std::path::PathBuf {
        self.folder.as_ref().unwrap().path().join("test.db")
    }

    /// Returns the number that a query selects.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let query = sqlx::query_scalar(AssertSqlSafe(sql));
        match self.server {
            Some(_) => query.fetch_one(&mut PgConnection::connect(&self.url).await.unwrap()).await.unwrap(),
            None => {
                let query = sqlx::query_scalar(AssertSqlSafe(sql));
                query.fetch_one(&mut SqliteConnection::connect(&self.url).await.unwrap()).await.unwrap()
            }
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Some((server, name)) = self.server.take() else { return };
        let drop_it = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let mut connection = PgConnection::connect(&server).await.unwrap();
                let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                connection.execute(AssertSqlSafe(statement)).await.unwrap();
            });
        };
        std::thread::spawn(drop_it).join().unwrap();
    }
}
