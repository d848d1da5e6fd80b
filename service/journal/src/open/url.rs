//! Database URLs. A password in a URL is used to connect and never displayed.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use super::{OpenError, UrlError};
use crate::store::DatabaseAddress;
use crate::{Shards, backends};

/// A database URL, in one of the forms that [`DatabaseUrl::forms`] lists.
#[derive(Clone)]
pub struct DatabaseUrl(pub(crate) Arc<dyn DatabaseAddress>);

impl DatabaseUrl {
    /// Returns the form of each kind of URL, for people, such as `sqlite://PATH`.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        backends::url_forms().into_iter()
    }

    /// Returns the folder of the database's file, or `None` if the database is not a file.
    pub fn folder(&self) -> Option<&Path> {
        self.0.folder()
    }

    /// Returns whether the database outlives the process.
    pub fn is_durable(&self) -> bool {
        self.0.is_durable()
    }
}

impl FromStr for DatabaseUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<DatabaseUrl, UrlError> {
        backends::parse(text).map(DatabaseUrl)
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

/// Migrates a database's schema. With a number of shards, a database that was never served gets so many, and
/// any other one must have them. With a role, also grants it the rights to serve this database, and no
/// others; a database without roles is not migrated then.
pub async fn migrate(
    url: &DatabaseUrl,
    shards: Option<Shards>,
    grant_to: Option<&str>,
) -> Result<(), OpenError> {
    if grant_to.is_some() && !url.0.has_roles() {
        return Err(OpenError::NoRoles);
    }
    url.0.migrate(shards).await?;
    match grant_to {
        Some(role) => url.0.grant(role).await,
        None => Ok(()),
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
        for text in
            ["postgres://ann:s3cret@db:notaport/x", "mysql://ann:s3cret@db", "memory:s3cret", "s3cret"]
        {
            let error = text.parse::<DatabaseUrl>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("s3cret"));
        }
    }

    #[test]
    fn an_unknown_scheme_is_rejected_with_the_known_ones() {
        let error = "mysql://db/games".parse::<DatabaseUrl>().unwrap_err();
        let expected = "the database URL must have one of these forms: sqlite://PATH, \
                        postgres://USER:PASSWORD@HOST/NAME, memory: (nothing is stored)";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn sqlite_in_memory_is_rejected_with_the_form_to_use() {
        for text in ["sqlite::memory:", "sqlite://:memory:", "sqlite://x?mode=memory"] {
            let error = text.parse::<DatabaseUrl>().unwrap_err().to_string();
            assert!(error.ends_with("for a database in memory, use memory:"), "{error}");
        }
    }

    #[test]
    fn sqlite_paths_are_not_changed() {
        let shown = |text: &str| text.parse::<DatabaseUrl>().map(|url| url.to_string()).ok();
        assert_eq!(shown("sqlite://matchbook.db").as_deref(), Some("SQLite matchbook.db"));
        assert_eq!(shown("sqlite:///var/lib/m.db").as_deref(), Some("SQLite /var/lib/m.db"));
        assert_eq!(shown("sqlite:m.db").as_deref(), Some("SQLite m.db"));
        assert_eq!(shown("sqlite://"), None);
        assert_eq!(shown("sqlite://x.db?mode=ro"), None);
    }
}
