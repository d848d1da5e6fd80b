//! The database as the operator configures it, and advice for errors on opening it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use journal::{
    ArchivedLogs, ArchiverHandle, DatabaseUrl, JournalConfig, JournalTiming, KeyChange, Migrations,
    OpenError, Reader, SchemaError, Shards, Statements, UrlError,
};
use opentelemetry::metrics::Meter;
use url::Url;

const KEY_FILE: &str = "matchbook.key";

/// A database: its URL, the default path of its service key, and how to connect to it.
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
        let default_key_file = url.folder().unwrap_or(Path::new("")).join(KEY_FILE);
        Ok(Self {
            url,
            read_url: None,
            default_key_file,
            migrations: Migrations::Apply,
            statements: Statements::Prepared,
            timing: JournalTiming::default(),
        })
    }
}

impl fmt::Display for Database {
    /// Formats the URL without its password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

impl Database {
    /// Returns the form of each kind of database URL, for people.
    pub fn url_forms() -> impl Iterator<Item = &'static str> {
        DatabaseUrl::forms()
    }

    /// Sets whether a start may upgrade the schema.
    #[must_use]
    pub fn migrations(self, migrations: Migrations) -> Self {
        Self { migrations, ..self }
    }

    /// Sets a streaming replica for reads that tolerate lag.
    pub fn read_from(self, url: &str) -> Result<Self, UrlError> {
        Ok(Self { read_url: Some(url.parse()?), ..self })
    }

    /// Sets the kind of statements sent to Postgres.
    #[must_use]
    pub fn statements(self, statements: Statements) -> Self {
        Self { statements, ..self }
    }

    /// Sets the silence after which another replica counts as dead; this one writes a keep-alive every third
    /// of it.
    #[must_use]
    pub fn replica_silence(self, silence: Duration) -> Self {
        let timing =
            JournalTiming { silence_timeout: silence, keep_alive_interval: silence / 3, ..self.timing };
        Self { timing, ..self }
    }

    /// Removes the password from a URL, both from its authority and from its query.
    pub fn url_without_password(text: &str) -> String {
        let has_password =
            |url: &Url| url.password().is_some() || url.query_pairs().any(|(key, _)| key == "password");
        let Some(mut url) = Url::parse(text).ok().filter(has_password) else {
            return text.to_owned();
        };
        // Fails only for a URL without a host, which has no password.
        let _ = url.set_password(None);
        let shown = url.query_pairs().filter(|(key, _)| key != "password");
        let shown: Vec<(String, String)> = shown.map(|(key, value)| (key.into(), value.into())).collect();
        match shown.as_slice() {
            [] => url.set_query(None),
            shown => drop(url.query_pairs_mut().clear().extend_pairs(shown)),
        }
        url.into()
    }

    /// Returns the default path of the service key: next to the database's file, or in the current directory
    /// if the database is a server.
    pub(crate) fn default_key_file(&self) -> &Path {
        &self.default_key_file
    }

    /// Returns whether the database outlives the process.
    pub(crate) fn is_durable(&self) -> bool {
        self.url.is_durable()
    }

    /// Returns the journal's configuration, recording metrics on `meter`.
    pub(crate) fn journal_config(
        &self,
        meter: Meter,
        archive: Option<Arc<dyn ArchivedLogs>>,
    ) -> JournalConfig {
        let (migrations, statements, timing) = (self.migrations, self.statements, self.timing);
        let (url, read_url) = (self.url.clone(), self.read_url.clone());
        JournalConfig { read_url, migrations, statements, timing, meter, archive, ..JournalConfig::new(url) }
    }
}

impl Database {
    /// Opens the database, which must be migrated, to change its service key.
    pub(crate) async fn open_key_change(&self) -> Result<KeyChange, DatabaseError> {
        let migrations = Migrations::Require;
        let (statements, timing) = (self.statements, self.timing);
        let config = JournalConfig { migrations, statements, timing, ..JournalConfig::new(self.url.clone()) };
        KeyChange::open(&config).await.map_err(|cause| DatabaseError::new(self, cause))
    }

    /// Opens the database, which must be migrated, to archive its matches.
    pub(crate) async fn open_archiver(&self) -> Result<ArchiverHandle, DatabaseError> {
        let config = JournalConfig { statements: self.statements, ..JournalConfig::new(self.url.clone()) };
        ArchiverHandle::open(&config).await.map_err(|cause| DatabaseError::new(self, cause))
    }

    /// Opens the database for reading only, while other processes may serve it. Logs that were archived are
    /// read from the archive, if it is given.
    pub async fn open_reader(&self, archive: Option<Arc<dyn ArchivedLogs>>) -> Result<Reader, DatabaseError> {
        let statements = self.statements;
        let config = JournalConfig { statements, archive, ..JournalConfig::new(self.url.clone()) };
        Reader::open(&config).await.map_err(|cause| DatabaseError::new(self, cause))
    }
}

/// A database that cannot be opened or whose rights cannot be granted, with advice.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} the database ({database}): {cause}; {advice}")]
pub struct DatabaseError {
    action: &'static str,
    database: String,
    cause: OpenError,
    advice: &'static str,
}

impl DatabaseError {
    pub(crate) fn new(database: &Database, cause: OpenError) -> Self {
        let action = match cause {
            OpenError::Grant { .. } | OpenError::NoRoles => "grant rights on",
            OpenError::OtherShards { .. } | OpenError::NoShards => "divide",
            _ => "open",
        };
        Self { action, database: database.to_string(), advice: advice(&cause), cause }
    }
}

/// Creates or upgrades the schema of a database. With a number of shards, a database that was never served
/// gets so many, and any other one must have them. With a role, also grants it the rights to serve and no
/// others, which only Postgres can; another database is not changed then.
pub async fn migrate(
    database: &Database,
    shards: Option<Shards>,
    grant_to: Option<&str>,
) -> Result<(), DatabaseError> {
    let migrated = journal::migrate(&database.url, shards, grant_to).await;
    migrated.map_err(|cause| DatabaseError::new(database, cause))
}

fn advice(cause: &OpenError) -> &'static str {
    match cause {
        OpenError::InUse { .. } => {
            "a SQLite file serves one process; stop the other, pass another file with --database, or use \
             Postgres"
        }
        OpenError::ManyNames { .. } => {
            "SQLite keeps the newest moves in files named after this one; remove the other names, or copy \
             the file to a folder of its own"
        }
        OpenError::Unreachable(_) => {
            "check that the server is running and that the URL (--database) and the files it names are right"
        }
        OpenError::Rejected { .. } => {
            "check the role, the password and the database's name in the URL (--database)"
        }
        OpenError::OtherArchiver => "wait until it ends; if it was killed, its session ends within minutes",
        OpenError::NothingToArchive => "archive a SQLite file or a Postgres database (--database)",
        OpenError::NoFile { .. } => {
            "check the path in the URL (--database); the first start of the service creates the file"
        }
        OpenError::File { .. } => "check that the directory exists and is writable",
        OpenError::NotMigrated { .. } | OpenError::Schema(SchemaError::Behind { .. }) => {
            "run `matchbookd migrate` with the same --database"
        }
        OpenError::Schema(SchemaError::Ahead { .. }) => {
            "a newer matchbookd upgraded the schema; run that version"
        }
        OpenError::Schema(SchemaError::Changed { .. }) => "run a build of the same source that migrated it",
        OpenError::Migration { .. } => "the migration was rolled back; check that the role may alter tables",
        OpenError::Untrusted { what } if what.contains("does not support TLS") => {
            "turn TLS on in the server (`ssl = on`), or choose another sslmode in the URL (docs/databases.md)"
        }
        OpenError::Untrusted { .. } => {
            "add sslrootcert=PATH with the CA certificate to the URL, and use the host name in the server's \
             certificate; see docs/databases.md for the other values of sslmode"
        }
        OpenError::Grant { .. } => {
            "the schema is up to date; check that the role exists and that you connect as the tables' owner"
        }
        OpenError::NoRoles => {
            "omit --grant-to; who may read and write a SQLite file is up to the permissions of its folder"
        }
        OpenError::NoStandby => "omit --read-database",
        OpenError::OtherShards { .. } => {
            "omit --shards to migrate it as it is, or create another database (docs/scale.md)"
        }
        OpenError::ShardKeys { .. } | OpenError::UnknownShards => {
            "nothing was changed; restore the whole database from a backup (docs/databases.md)"
        }
        OpenError::NoShards => "omit --shards, or use Postgres",
        OpenError::Writer { what } if what.contains("read-only transaction") => {
            "the server is a standby or read-only: name the primary with --database, a standby with \
             --read-database"
        }
        OpenError::Writer { .. } => {
            "check that the role has the rights that `matchbookd migrate --grant-to` grants"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_removed_from_a_url() {
        for (url, expected) in [
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
            assert_eq!(Database::url_without_password(url), expected);
        }
    }

    #[test]
    fn the_default_key_file_is_next_to_a_sqlite_file() {
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
