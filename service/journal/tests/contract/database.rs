//! Databases on the tests' Postgres server, each dropped at the end of its test, and direct access to them.

use std::io::Write;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use uuid::Uuid;

/// The database of one test.
pub(crate) struct TestDatabase {
    server: String,
    name: String,
}

impl TestDatabase {
    /// Creates one, or prints that the test is skipped and returns `None`.
    pub(crate) async fn create() -> Option<TestDatabase> {
        let Ok(server) = std::env::var("MATCHBOOK_TEST_DATABASE_URL") else {
            let required = std::env::var("MATCHBOOK_TEST_REQUIRE_ALL").is_ok_and(|value| value == "1");
            assert!(!required, "MATCHBOOK_TEST_REQUIRE_ALL=1, but MATCHBOOK_TEST_DATABASE_URL is not set");
            // Not eprintln!, whose output the test harness captures.
            let message = b"SKIPPED: no Postgres, set MATCHBOOK_TEST_DATABASE_URL\n";
            std::io::stderr().write_all(message).unwrap();
            return None;
        };
        let name = format!("matchbook_test_{}", Uuid::new_v4().simple());
        let database = TestDatabase { server, name };
        execute_at(&database.server, format!("CREATE DATABASE {}", database.name)).await;
        Some(database)
    }

    /// Creates a copy of it, to which nobody may be connected.
    pub(crate) async fn copy(&self) -> TestDatabase {
        let name = format!("matchbook_test_{}", Uuid::new_v4().simple());
        let copy = TestDatabase { server: self.server.clone(), name };
        execute_at(&copy.server, format!("CREATE DATABASE {} TEMPLATE {}", copy.name, self.name)).await;
        copy
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns its URL, for a superuser.
    pub(crate) fn url(&self) -> String {
        let (before, after) = self.split();
        format!("{before}/{}{after}", self.name)
    }

    /// Returns its URL with another address, such as a proxy's.
    pub(crate) fn url_at(&self, address: std::net::SocketAddr) -> String {
        let url = self.url();
        url.replacen(&self.address(), &address.to_string(), 1)
    }

    /// Returns its URL for another role, without a password.
    pub(crate) fn url_as(&self, role: &str) -> String {
        let (before, after) = self.split();
        let scheme = before.split_once("://").unwrap().0;
        format!("{scheme}://{role}@{}/{}{after}", self.address(), self.name)
    }

    /// Returns host and port of the server.
    pub(crate) fn address(&self) -> String {
        let rest = self.server.split_once("://").unwrap().1;
        let authority = rest.split(['/', '?']).next().unwrap();
        authority.rsplit_once('@').map_or(authority, |(_, address)| address).to_owned()
    }

    pub(crate) async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url()).await.unwrap()
    }

    pub(crate) async fn execute(&self, sql: &str) -> Result<u64, sqlx::Error> {
        let mut connection = self.connect().await;
        connection.execute(AssertSqlSafe(sql)).await.map(|done| done.rows_affected())
    }

    /// Returns the number that a query selects.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let mut connection = self.connect().await;
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await.unwrap()
    }

    /// Returns the text that a query selects.
    pub(crate) async fn text(&self, sql: &str) -> String {
        let mut connection = self.connect().await;
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await.unwrap()
    }

    fn split(&self) -> (String, String) {
        let (scheme, rest) = self.server.split_once("://").unwrap();
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let options = path.split_once('?').map_or(String::new(), |(_, options)| format!("?{options}"));
        (format!("{scheme}://{authority}"), options)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, sql) = (self.server.clone(), format!("DROP DATABASE {} WITH (FORCE)", self.name));
        // Use a thread, because the test's runtime may be shut down.
        let dropper = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(execute_at(&server, sql));
        });
        drop(dropper.join());
    }
}

async fn execute_at(url: &str, sql: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
    connection.close().await.unwrap();
}
