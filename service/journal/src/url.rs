//! Which database: the three kinds of URL. A password in one is kept for connecting and shown nowhere.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// `memory:`, `sqlite://path/to/file.db` or `postgres://user@host/database`.
#[derive(Clone)]
pub struct DatabaseUrl(pub(crate) Database);

/// What the URL names.
#[derive(Clone)]
pub(crate) enum Database {
    Memory,
    Sqlite(PathBuf),
    Postgres(Box<PgConnectOptions>),
}

/// Why a text is no database URL. Says nothing of the text itself, which may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// Starts with something else.
    #[error("a database URL starts with memory:, sqlite:// or postgres://")]
    UnknownScheme,
    /// A SQLite URL needs a path, and takes no options.
    #[error("a SQLite URL is sqlite://PATH without options")]
    BadSqlitePath,
    /// The Postgres driver does not understand it.
    #[error("not a valid Postgres URL")]
    BadPostgresUrl,
}

impl FromStr for DatabaseUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<DatabaseUrl, UrlError> {
        if text == "memory:" {
            return Ok(DatabaseUrl(Database::Memory));
        }
        if let Some(path) = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:")) {
            return match path {
                "" => Err(UrlError::BadSqlitePath),
                path if path.contains(['?', '#']) || path.contains(":memory:") => {
                    Err(UrlError::BadSqlitePath)
                }
                path => Ok(DatabaseUrl(Database::Sqlite(PathBuf::from(path)))),
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let options = text.parse::<PgConnectOptions>().map_err(|_| UrlError::BadPostgresUrl)?;
            return Ok(DatabaseUrl(Database::Postgres(Box::new(options))));
        }
        Err(UrlError::UnknownScheme)
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Database::Memory => f.write_str("memory"),
            Database::Sqlite(path) => write!(f, "SQLite {}", path.display()),
            Database::Postgres(options) => {
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
    fn passwords_are_not_shown() {
        let url: DatabaseUrl = "postgres://ann:s3cret@db.example:5433/games".parse().unwrap();
        assert_eq!(url.to_string(), "Postgres games at db.example:5433");
        assert!(!format!("{url:?}").contains("s3cret"));
    }

    #[test]
    fn a_broken_url_is_not_repeated_in_its_error() {
        for text in ["postgres://ann:s3cret@db:notaport/x", "mysql://ann:s3cret@db", "s3cret"] {
            let error = text.parse::<DatabaseUrl>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("s3cret"));
        }
    }

    #[test]
    fn sqlite_paths_are_taken_as_they_are() {
        let path = |text: &str| match text.parse::<DatabaseUrl>() {
            Ok(DatabaseUrl(Database::Sqlite(path))) => Some(path),
            _ => None,
        };
        assert_eq!(path("sqlite://matchbook.db"), Some(PathBuf::from("matchbook.db")));
        assert_eq!(path("sqlite:///var/lib/m.db"), Some(PathBuf::from("/var/lib/m.db")));
        assert_eq!(path("sqlite://"), None);
        assert_eq!(path("sqlite://x.db?mode=memory"), None);
    }
}
