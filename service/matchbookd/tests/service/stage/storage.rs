//! A temporary database of any kind, dropped with the test.

use std::path::PathBuf;

use server::{Config, Database};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

use super::skip::{Needed, needed};

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    Memory,
    Sqlite,
    Postgres,
}

/// A database and a folder for the files beside it.
pub(crate) struct Storage {
    url: String,
    folder: TempDir,
    borrowed: Option<Borrowed>,
}

/// A database in the Postgres server of the test environment, dropped after the test.
struct Borrowed {
    server: PgConnectOptions,
    name: String,
    role: Option<String>,
}

impl Storage {
    /// Creates a new database; returns `None` if its server is not available.
    pub(crate) async fn of(backend: Backend) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let (url, borrowed) = match backend {
            Backend::Memory => ("memory:".to_owned(), None),
            Backend::Sqlite => (format!("sqlite://{}", folder.path().join("matchbook.db").display()), None),
            Backend::Postgres => {
                let borrowed = Borrowed::new(&needed(Needed::Postgres)?).await;
                (borrowed.url(), Some(borrowed))
            }
        };
        Some(Self { url, folder, borrowed })
    }

    /// Uses an existing database without dropping it afterwards.
    pub(crate) fn at(url: &str) -> Self {
        Self { url: url.to_owned(), folder: tempfile::tempdir().unwrap(), borrowed: None }
    }

    /// Creates a database in memory or SQLite, which are always available.
    pub(crate) async fn here(backend: Backend) -> Self {
        assert_ne!(backend, Backend::Postgres);
        Self::of(backend).await.expect("memory and SQLite are always available")
    }

    /// Executes a statement directly in the database, without the service.
    pub(crate) async fn execute(&self, statement: &str) {
        if let Some(Borrowed { server, name, .. }) = &self.borrowed {
            return execute(&server.clone().database(name), statement.to_owned()).await;
        }
        let mut file = SqliteConnection::connect(&self.url).await.unwrap();
        file.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
        file.close().await.unwrap();
    }

    /// Returns whether the database holds these bytes, in any row of Postgres or anywhere in SQLite's files.
    pub(crate) async fn holds(&self, what: &[u8]) -> bool {
        match &self.borrowed {
            Some(Borrowed { server, name, .. }) => {
                let rows = every_row(&server.clone().database(name)).await;
                let hex: String = what.iter().map(|byte| format!("{byte:02x}")).collect();
                let text = String::from_utf8_lossy(what);
                rows.iter().any(|row| row.contains(&*text) || row.contains(&hex))
            }
            None => {
                let files = std::fs::read_dir(self.folder.path()).unwrap();
                let mut files = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
                files.any(|bytes| bytes.windows(what.len()).any(|window| window == what))
            }
        }
    }

    /// Makes [`Self::url`] connect as a new role that has these rights only.
    pub(crate) async fn confine(&mut self, rights: &[&str]) {
        let role = format!("{}_role", self.borrowed.as_ref().expect("a database in Postgres").name);
        self.execute(&format!("CREATE ROLE {role} LOGIN PASSWORD 'pass'")).await;
        for right in rights {
            self.execute(&format!("GRANT {right} TO {role}")).await;
        }
        let borrowed = self.borrowed.as_mut().expect("a database in Postgres");
        let confined = borrowed.server.clone().database(&borrowed.name).username(&role).password("pass");
        self.url = confined.to_url_lossy().to_string();
        borrowed.role = Some(role);
    }

    /// Returns storage with another database and a copy of the key file.
    pub(crate) fn with_url(&self, url: &str) -> Self {
        let copy = Self::at(url);
        std::fs::copy(self.key_file(), copy.key_file()).unwrap();
        copy
    }

    /// Returns the URL for `--database`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the path of the service key file.
    pub(crate) fn key_file(&self) -> PathBuf {
        self.folder.path().join("matchbook.key")
    }

    /// Returns the configuration of a server on a free port with this database.
    pub(crate) fn config(&self) -> Config {
        let database: Database = self.url.parse().unwrap();
        let mut config = Config::new("127.0.0.1:0", database);
        config.key_file = Some(self.key_file());
        config
    }
}

impl Borrowed {
    async fn new(url: &str) -> Self {
        let server: PgConnectOptions = url.parse().unwrap();
        let name = format!("matchbook_service_{}", Uuid::new_v4().simple());
        execute(&server, format!("CREATE DATABASE {name}")).await;
        Self { server, name, role: None }
    }

    fn url(&self) -> String {
        self.server.clone().database(&self.name).to_url_lossy().to_string()
    }
}

async fn execute(server: &PgConnectOptions, statement: String) {
    let mut connection = PgConnection::connect_with(server).await.unwrap();
    connection.execute(AssertSqlSafe(statement)).await.unwrap();
    connection.close().await.unwrap();
}

/// Returns the rows of all tables as text, bytes in hexadecimal.
async fn every_row(database: &PgConnectOptions) -> Vec<String> {
    let mut connection = PgConnection::connect_with(database).await.unwrap();
    let named = "SELECT quote_ident(table_name) FROM information_schema.tables WHERE table_schema = 'public'";
    let tables: Vec<String> = sqlx::query_scalar(named).fetch_all(&mut connection).await.unwrap();
    let mut rows = Vec::new();
    for table in tables {
        let all = AssertSqlSafe(format!("SELECT t::text FROM {table} t"));
        rows.extend(sqlx::query_scalar::<_, String>(all).fetch_all(&mut connection).await.unwrap());
    }
    connection.close().await.unwrap();
    rows
}

impl Drop for Storage {
    fn drop(&mut self) {
        let Some(Borrowed { server, name, role }) = self.borrowed.take() else { return };
        // In a new thread, since a runtime can't block within another.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(execute(&server, format!("DROP DATABASE {name} WITH (FORCE)")));
            if let Some(role) = role {
                runtime.block_on(execute(&server, format!("DROP ROLE {role}")));
            }
        });
        let dropped = dropping.join();
        assert!(dropped.is_ok() || std::thread::panicking(), "failed to drop the test's database");
    }
}
