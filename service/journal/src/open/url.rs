//! Database URLs of three kinds. A password in a URL is used to connect and never displayed.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// A database URL: `memory:`, `sqlite://path/to/file.db` or `postgres://user@host/database`.
#[derive(Clone)]
pub struct DatabaseUrl(pub(crate) DatabaseKind);

/// The database that a URL names.
#[derive(Clone)]
pub(crate) enum DatabaseKind {
    Memory,
    Sqlite(PathBuf),
    Postgres(Box<PgConnectOptions>),
}

/// Why a text is not a database URL. Does not repeat the text, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The scheme is unknown.
    #[error("the database URL must start with memory:, sqlite:// or postgres://")]
    UnknownScheme,
    /// The SQLite URL has no path, or has options.
    #[error("the SQLite URL must be sqlite://PATH, without options")]
    BadSqlitePath,
    /// The Postgres driver can't parse the URL.
    #[error("the Postgres URL is not valid")]
    BadPostgresUrl,
}

impl FromStr for DatabaseUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<DatabaseUrl, UrlError> {
        if text == "memory:" {
            return Ok(DatabaseUrl(DatabaseKind::Memory));
        }
        if let Some(path) = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:")) {
            return match path {
                "" => Err(UrlError::BadSqlitePath),
                path if path.contains(['?', '#']) || path.contains(":memory:") => {
                    Err(UrlError::BadSqlitePath)
                }
                path => Ok(DatabaseUrl(DatabaseKind::Sqlite(PathBuf::from(path)))),
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let options = text.parse::<PgConnectOptions>().map_err(|_| UrlError::BadPostgresUrl)?;
            return Ok(DatabaseUrl(DatabaseKind::Postgres(Box::new(options))));
        }
        Err(UrlError::UnknownScheme)
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            DatabaseKind::Memory => f.write_str("memory"),
            DatabaseKind::Sqlite(path) => write!(f, "SQLite {}", path.display()),
            DatabaseKind::Postgres(options) => {
                let name = options.get_database().unwrap_or_else(|| options.get_username());
                write!(f, "Postgres {name} at {}:{}", options.get_host(), options.get_port())
            }
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_debug_hide_the_password() {
        let url: DatabaseUrl = "postgres://ann:s3cret@db.example:5433/games".parse().unwrap();
        assert_eq!(url.to_string(), "Postgres games at db.example:5433");
        assert!(!format!("{url:?}").contains("s3cret"));
    }

    #[test]
    fn errors_do_not_repeat_the_url() {
        for text in ["postgres://ann:s3cret@db:notaport/x", "mysql://ann:s3cret@db", "s3cret"] {
            let error = text.parse::<DatabaseUrl>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("s3cret"));
        }
    }

    #[test]
    fn sqlite_paths_are_not_changed() {
        let path = |text: &str| match text.parse::<DatabaseUrl>() {
            Ok(DatabaseUrl(DatabaseKind::Sqlite(path))) => Some(path),
            _ => None,
        };
        assert_eq!(path("sqlite://matchbook.db"), Some(PathBuf::from("matchbook.db")));
        assert_eq!(path("sqlite:///var/lib/m.db"), Some(PathBuf::from("/var/lib/m.db")));
        assert_eq!(path("sqlite://"), None);
        assert_eq!(path("sqlite://x.db?mode=memory"), None);
    }
}
