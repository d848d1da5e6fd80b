//! Classifies Postgres' errors by what they mean for the statement: rolled back, and why, or unknown. Only
//! primary messages are passed on, because details contain values of rows.

use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::store::WriteError;
use crate::{OpenError, ReadError};

/// Converts an error of a writer's statement.
pub(super) fn of_write(error: &sqlx::Error) -> WriteError {
    let what = text(error);
    let Some(database) = database(error) else {
        return match error {
            sqlx::Error::Encode(_) | sqlx::Error::InvalidArgument(_) => WriteError::Refused { what },
            _ => WriteError::Lost { what },
        };
    };
    match (database.code(), database.constraint()) {
        _ if is_fatal(database) => WriteError::Lost { what },
        ("23505", Some("commit_log_pkey")) => WriteError::BatchExists,
        ("23505", Some("event_pkey")) => WriteError::EventExists,
        ("23505", Some("match_create_request" | "match_external_id")) => WriteError::CreateExists,
        // See append.sql.
        ("23502", _) if is_null(database, "event", "batch") => WriteError::PredecessorDiffers,
        ("23502", _) if is_null(database, "commit_log", "count") => WriteError::CommitMissing,
        // The server is read-only. After a failover, a new connection may reach one that is not.
        ("25006", _) => WriteError::Lost { what },
        (code, _) if is_transient(code) => WriteError::Transient { what },
        _ => WriteError::Refused { what },
    }
}

/// Converts an error of a read.
pub(super) fn of_read(error: &sqlx::Error) -> ReadError {
    match error {
        sqlx::Error::ColumnDecode { index, .. } => ReadError::Corrupt { what: index.clone(), event: None },
        error => ReadError::Unavailable { what: text(error) },
    }
}

/// Returns whether the connection is lost, so that a retry on another one makes sense.
pub(super) fn is_lost(error: &sqlx::Error) -> bool {
    match database(error) {
        Some(database) => is_fatal(database),
        None => matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_)),
    }
}

/// Returns nothing in place of the error that there is no such table.
pub(super) fn unless_no_table<T>(found: Result<Option<T>, sqlx::Error>) -> Result<Option<T>, sqlx::Error> {
    match found {
        Err(error) if database(&error).is_some_and(|database| database.code() == "42P01") => Ok(None),
        found => found,
    }
}

/// Returns whether the role lacks the right to do this.
pub(super) fn is_not_permitted(error: &sqlx::Error) -> bool {
    database(error).is_some_and(|database| database.code() == "42501")
}

/// Converts an error of connecting.
pub(super) fn of_connect(error: &sqlx::Error) -> OpenError {
    let what = text(error);
    match error {
        _ if database(error).is_some_and(is_rejection) => OpenError::Rejected { what },
        sqlx::Error::Tls(_) => OpenError::Untrusted { what },
        // The driver reports an invalid certificate this way.
        sqlx::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            OpenError::Untrusted { what }
        }
        _ => OpenError::Unreachable(ReadError::Unavailable { what }),
    }
}

/// Formats an error without passwords and rows.
pub(super) fn text(error: &sqlx::Error) -> String {
    match database(error) {
        Some(database) => format!("{} ({})", database.message(), database.code()),
        None => error.to_string(),
    }
}

fn database(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error().and_then(|e| e.try_downcast_ref::<PgDatabaseError>())
}

fn is_null(error: &PgDatabaseError, table: &str, column: &str) -> bool {
    error.table() == Some(table) && error.column() == Some(column)
}

/// Returns whether a new connection is refused for its role, password or database.
fn is_rejection(error: &PgDatabaseError) -> bool {
    error.code().starts_with("28") || ["3D000", "42501"].contains(&error.code())
}

/// Returns whether the server closes the connection, perhaps after it has committed.
fn is_fatal(error: &PgDatabaseError) -> bool {
    matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic)
        || error.code().starts_with("08")
        || error.code().starts_with("57P")
}

/// Returns whether a retry may succeed: deadlock and serialization (40), resources (53), lock not available
/// (55P03), cancelled or timed out (57014), system (58), a plan or prepared statement invalidated by a schema
/// change or a pooler (0A000, 26000).
fn is_transient(code: &str) -> bool {
    ["40", "53", "58"].iter().any(|class| code.starts_with(class))
        || ["55P03", "57014", "0A000", "26000"].contains(&code)
}
