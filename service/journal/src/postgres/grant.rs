//! What the role that serves may do, granted by the tables' owner after a migration.

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use super::failure;
use crate::DatabaseUrl;
use crate::url::Database;

/// Names the role as it stands in the file.
const GRANTS: &str = include_str!("../../../../migrations/postgres/grants.sql");
const ROLE: &str = "matchbook_service";

/// Why nothing was granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// SQLite and memory have no roles.
    #[error("only Postgres has roles")]
    NoRoles,
    /// Postgres says no.
    #[error("the rights can't be granted to {role}: {what}")]
    Refused {
        /// Who should have them.
        role: String,
        /// What the database says.
        what: String,
    },
}

/// Grants what `migrations/postgres/grants.sql` lists to another role, all or nothing. The role has to exist.
pub async fn grant(url: &DatabaseUrl, role: &str) -> Result<(), GrantError> {
    let Database::Postgres(options) = &url.0 else { return Err(GrantError::NoRoles) };
    run(options, role)
        .await
        .map_err(|error| GrantError::Refused { role: role.to_owned(), what: failure::text(&error) })
}

async fn run(options: &PgConnectOptions, role: &str) -> Result<(), sqlx::Error> {
    let mut connection =
        options.clone().application_name("matchbookd").disable_statement_logging().connect().await?;
    // Several statements sent as one text are one transaction.
    sqlx::raw_sql(AssertSqlSafe(statements(role))).execute(&mut connection).await?;
    connection.close().await
}

fn statements(role: &str) -> String {
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    GRANTS.replace(ROLE, &quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_a_name_and_nothing_else() {
        let text = statements("x\"; DROP TABLE event; --");
        assert!(text.contains("TO \"x\"\"; DROP TABLE event; --\";"), "{text}");
        assert!(!text.contains(ROLE), "{text}");
    }

    #[tokio::test]
    async fn only_postgres_has_roles() {
        let url = "memory:".parse().unwrap();
        assert!(matches!(grant(&url, "ann").await, Err(GrantError::NoRoles)));
    }
}
