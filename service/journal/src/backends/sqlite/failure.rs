//! Classifies SQLite's errors by what they mean for the transaction, which is rolled back after each.

use crate::ReadError;
use crate::store::WriteError;

// The primary result codes, from sqlite.org/rescode.html.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const NO_MEMORY: i32 = 7;
const READ_ONLY: i32 = 8;
const INTERRUPTED: i32 = 9;
const IO_ERROR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANT_OPEN: i32 = 14;
const CONSTRAINT: i32 = 19;
const NOT_A_DATABASE: i32 = 26;

/// Converts an error of a writer's statement.
pub(super) fn of_write(error: &sqlx::Error) -> WriteError {
    let what = error.to_string();
    match primary_code(error) {
        Some(CONSTRAINT) => of_constraint(what),
        Some(BUSY | LOCKED | NO_MEMORY | INTERRUPTED | FULL) => WriteError::Transient { what },
        // Reopen the file, then find out what was committed.
        Some(IO_ERROR | CORRUPT | CANT_OPEN | NOT_A_DATABASE | READ_ONLY) => WriteError::Lost { what },
        Some(_) => WriteError::Refused { what },
        None => match error {
            sqlx::Error::Encode(_) | sqlx::Error::InvalidArgument(_) => WriteError::Refused { what },
            _ => WriteError::Lost { what },
        },
    }
}

/// Converts an error of a read.
pub(super) fn of_read(error: &sqlx::Error) -> ReadError {
    match error {
        sqlx::Error::ColumnDecode { index, .. } => ReadError::Corrupt { what: index.clone(), event: None },
        error => ReadError::Unavailable { what: error.to_string() },
    }
}

/// Returns whether a ROLLBACK failed because there was nothing to roll back.
pub(super) fn is_no_transaction(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains("no transaction is active"))
}

/// Returns nothing in place of the error that there is no such table.
pub(super) fn unless_no_table<T>(found: Result<Option<T>, sqlx::Error>) -> Result<Option<T>, sqlx::Error> {
    let is_missing = |error: &sqlx::Error| {
        error.as_database_error().is_some_and(|error| error.message().starts_with("no such table"))
    };
    match found {
        Err(error) if is_missing(&error) => Ok(None),
        found => found,
    }
}

/// SQLite's message contains the columns of a violated key, or the text or name of a violated check, but no
/// values.
fn of_constraint(what: String) -> WriteError {
    let violates = |columns: &str| what.contains(columns);
    match () {
        () if violates("commit_log.writer, commit_log.batch") => WriteError::BatchExists,
        () if violates("event.match_id, event.seq") => WriteError::EventExists,
        // See insert_events.sql and insert_commit.sql.
        () if violates("failed: event.batch") => WriteError::PredecessorDiffers,
        () if violates("failed: commit_log.count") => WriteError::CommitMissing,
        () if violates("match.owner, match.create_request_hash") => WriteError::CreateExists,
        () if violates("match.owner, match.external_id") => WriteError::CreateExists,
        () => WriteError::Refused { what },
    }
}

fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let extended: i32 = error.as_database_error()?.code()?.parse().ok()?;
    Some(extended & 0xff)
}
