//! Which database, as the operator writes it, and the errors of opening one with what to do about them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use journal::{
    DatabaseUrl, JournalConfig, JournalTiming, KeyChange, Migrations, OpenError, Reader, SchemaError,
    Statements, UrlError,
};
use opentelemetry::metrics::Meter;
use url::Url;

const KEY_FILE: &str = "matchbook.key";

/// A database: its URL, where its service key lies unless somebody says otherwise, and how it is spoken to.
#[derive(Debug, Clone)]
pub struct Database {
    url: DatabaseUrl,
    read_url: Option<DatabaseUrl>,
    default_key_file: PathBuf,
    migrations: Migrations,
    statements: Statements,
    timing: JournalTiming,
}

impl FromStr for Database {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let url: DatabaseUrl = text.parse()?;
        let sqlite = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:"));
        let folder = sqlite.and_then(|path| Path::new(path).parent()).unwrap_or(Path::new(""));
        Ok(Self {
            url,
            read_url: None,
            default_key_file: folder.join(KEY_FILE),
            migrations: Migrations::Apply,
            statements: Statements::Prepared,
            timing: JournalTiming::default(),
        })
    }
}

impl fmt::Display for Database {
    /// Without a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

impl Database {
    /// Whether a start may change the tables.
    #[must_use]
    pub fn migrations(self, migrations: Migrations) -> Self {
        Self { migrations, ..self }
    }

    /// A streaming replica of it, for reads that may be old.
    pub fn read_from(self, url: &str) -> Result<Self, UrlError> {
        Ok(Self { read_url: Some(url.parse()?), ..self })
    }

    /// How statements reach Postgres.
    #[must_use]
    pub fn statements(self, statements: Statements) -> Self {
        Self { statements, ..self }
    }

    /// How long another replica may be silent before it is taken for dead; this one says often enough that it lives.
    #[must_use]
    pub fn replica_silence(self, silence: Duration) -> Self {
        let timing =
            JournalTiming { silence_timeout: silence, keep_alive_interval: silence / 3, ..self.timing };
        Self { timing, ..self }
    }

    /// A URL as it may be shown: without a password, wherever in it that stands.
    pub fn url_without_password(text: &str) -> String {
        let Some(mut url) = text.starts_with("postgres").then(|| Url::parse(text).ok()).flatten() else {
            return text.to_owned();
        };
        // Only a URL without a host can't do without a password, and has none.
        let _ = url.set_password(None);
        let shown = url.query_pairs().filter(|(key, _)| key != "password");
        let shown: Vec<(String, String)> = shown.map(|(key, value)| (key.into(), value.into())).collect();
        match shown.as_slice() {
            [] => url.set_query(None),
            shown => drop(url.query_pairs_mut().clear().extend_pairs(shown)),
        }
        url.into()
    }

    /// Beside a SQLite file; in the current folder for any other database.
    pub(crate) fn default_key_file(&self) -> &Path {
        &self.default_key_file
    }

    /// How the journal opens it, counting on this meter.
    pub(crate) fn journal_config(&self, meter: Meter) -> JournalConfig {
        let (migrations, statements, timing) = (self.migrations, self.statements, self.timing);
        let (url, read_url) = (self.url.clone(), self.read_url.clone());
        JournalConfig { read_url, migrations, statements, timing, meter, ..JournalConfig::new(url) }
    }
}

impl Database {
    /// Opens it to change its key; its tables must be there.
    pub(crate) async fn open_key_change(&self) -> Result<KeyChange, DatabaseError> {
        let migrations = Migrations::Require;
        let (statements, timing) = (self.statements, self.timing);
        let config = JournalConfig { migrations, statements, timing, ..JournalConfig::new(self.url.clone()) };
        KeyChange::open(&config).await.map_err(|cause| DatabaseError::new(self, cause))
    }

    /// Opens it for looking alone, beside whoever serves it.
    pub async fn open_reader(&self) -> Result<Reader, DatabaseError> {
        let config = JournalConfig { statements: self.statements, ..JournalConfig::new(self.url.clone()) };
        Reader::open(&config).await.map_err(|cause| DatabaseError::new(self, cause))
    }
}

/// A database that can't be opened, with what to do.
#[derive(Debug, thiserror::Error)]
#[error("the database ({database}) can't be opened: {cause}{advice}")]
pub struct DatabaseError {
    database: String,
    cause: OpenError,
    advice: &'static str,
}

impl DatabaseError {
    pub(crate) fn new(database: &Database, cause: OpenError) -> Self {
        Self { database: database.to_string(), advice: advice(&cause), cause }
    }
}

/// Creates the schema of a database, or brings it up to date.
pub async fn migrate(database: &Database) -> Result<(), DatabaseError> {
    journal::migrate(&database.url).await.map_err(|cause| DatabaseError::new(database, cause))
}

/// Gives a role of Postgres the rights to serve, and no others.
pub async fn grant(database: &Database, role: &str) -> Result<(), DatabaseError> {
    journal::grant(&database.url, role).await.map_err(|cause| DatabaseError::new(database, cause))
}

fn advice(cause: &OpenError) -> &'static str {
    match cause {
        OpenError::InUse { .. } => {
            ". A SQLite file serves one process: stop the other, give another file with --database, or use Postgres"
        }
        OpenError::Unreachable(_) => {
            ". Does the server run, and is the URL right (--database), with the files that it names?"
        }
        OpenError::File { .. } => ". Does the folder exist, and may this user write there?",
        OpenError::NotMigrated { .. } | OpenError::Schema(SchemaError::Behind { .. }) => {
            ". Run `matchbookd migrate` with the same --database"
        }
        OpenError::Schema(SchemaError::Ahead { .. }) => ". A newer matchbookd has migrated it: run that one",
        OpenError::Schema(SchemaError::Changed { .. }) => ". Is this a build of the same source?",
        OpenError::Migration { .. } => ". Nothing of that migration was done; may this role change tables?",
        OpenError::Untrusted { .. } => {
            ". Name the certificate of whoever has signed the server's with sslrootcert=PATH in the URL, and the server by \
             the name in its certificate; or see docs/install.md for the other values of sslmode"
        }
        OpenError::Grant { .. } => ". Is this the tables' owner, and does the role exist?",
        OpenError::NoStandby => ". Leave --read-database out",
        OpenError::Writer { .. } => ". Does this role have the rights that the migration gave?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, shown) in [
            ("memory:", "memory:"),
            ("sqlite://data/m.db", "sqlite://data/m.db"),
            ("postgres://ann@db/games", "postgres://ann@db/games"),
            (
                "postgres://ann:s3cret@db:5433/games?sslmode=require",
                "postgres://ann@db:5433/games?sslmode=require",
            ),
            ("postgresql://db/games?user=ann&password=s3cret", "postgresql://db/games?user=ann"),
            ("postgres://db/games?password=s3cret", "postgres://db/games"),
        ] {
            assert_eq!(Database::url_without_password(url), shown);
        }
    }

    #[test]
    fn the_key_lies_beside_a_sqlite_file() {
        let cases = [
            ("sqlite:///var/lib/matchbook/m.db", "/var/lib/matchbook/matchbook.key"),
            ("sqlite://data/m.db", "data/matchbook.key"),
            ("sqlite://matchbook.db", "matchbook.key"),
            ("postgres://ann@db.example/games", "matchbook.key"),
            ("memory:", "matchbook.key"),
        ];
        for (url, key_file) in cases {
            let database: Database = url.parse().unwrap();
            assert_eq!(database.default_key_file(), Path::new(key_file), "{url}");
        }
    }
}
