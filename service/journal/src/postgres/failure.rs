//! Sorts Postgres' errors by what they say about the statement: rolled back for which reason, or nobody knows. Only
//! primary messages are passed on: details hold the values of rows.

use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::ReadError;
use crate::store::WriteError;

/// What a lane makes of an error.
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
        ("23505", Some("commit_log_pkey")) => WriteError::NumberTaken,
        ("23505", Some("event_pkey")) => WriteError::EventTaken,
        ("23505", Some("match_create_request")) => WriteError::CreateTaken,
        // The server takes no writes: after a failover another connection may lead to one that does.
        ("25006", _) => WriteError::Lost { what },
        (code, _) if is_transient(code) => WriteError::Transient { what },
        _ => WriteError::Refused { what },
    }
}

/// What a reader makes of an error.
pub(super) fn of_read(error: &sqlx::Error) -> ReadError {
    match error {
        sqlx::Error::ColumnDecode { index, .. } => ReadError::Corrupt { what: index.clone() },
        error => ReadError::Unavailable { what: text(error) },
    }
}

/// Whether the connection is gone, so that another may do better at once.
pub(super) fn is_lost(error: &sqlx::Error) -> bool {
    match database(error) {
        Some(database) => is_fatal(database),
        None => matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_)),
    }
}

/// The error in words that hold no password and no row.
pub(super) fn text(error: &sqlx::Error) -> String {
    match database(error) {
        Some(database) => format!("{} ({})", database.message(), database.code()),
        None => error.to_string(),
    }
}

fn database(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error().and_then(|e| e.try_downcast_ref::<PgDatabaseError>())
}

/// The server ends the connection, perhaps after it has committed.
fn is_fatal(error: &PgDatabaseError) -> bool {
    matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic)
        || error.code().starts_with("08")
        || error.code().starts_with("57P")
}

/// Classes of errors that roll back a statement without a fault of its own: deadlock and serialization (40),
/// resources (53), lock not available (55P03), cancelled or out of time (57014), system (58), a plan or a prepared
/// statement that a change of the schema or a pooler took away (0A000, 26000).
fn is_transient(code: &str) -> bool {
    ["40", "53", "58"].iter().any(|class| code.starts_with(class))
        || ["55P03", "57014", "0A000", "26000"].contains(&code)
}
