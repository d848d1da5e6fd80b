//! Sorts SQLite's errors by what they say about a transaction that is rolled back after them.

use crate::ReadError;
use crate::store::WriteError;

/// The primary result codes, from sqlite.org/rescode.html.
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

/// What a lane makes of an error.
pub(super) fn of_write(error: &sqlx::Error) -> WriteError {
    let what = error.to_string();
    match primary_code(error) {
        Some(CONSTRAINT) => of_constraint(what),
        Some(BUSY | LOCKED | NO_MEMORY | INTERRUPTED | FULL) => WriteError::Transient { what },
        // After these the file is to be opened anew, and what was committed to be looked up.
        Some(IO_ERROR | CORRUPT | CANT_OPEN | NOT_A_DATABASE | READ_ONLY) => WriteError::Lost { what },
        Some(_) => WriteError::Refused { what },
        None => match error {
            sqlx::Error::Encode(_) | sqlx::Error::InvalidArgument(_) => WriteError::Refused { what },
            _ => WriteError::Lost { what },
        },
    }
}

/// What a reader makes of an error.
pub(super) fn of_read(error: &sqlx::Error) -> ReadError {
    match error {
        sqlx::Error::ColumnDecode { index, .. } => ReadError::Corrupt { what: index.clone() },
        error => ReadError::Unavailable { what: error.to_string() },
    }
}

/// SQLite names the columns of a broken key and the text or name of a broken check, never values.
fn of_constraint(what: String) -> WriteError {
    let broken = |columns: &str| what.contains(columns);
    match () {
        () if broken("commit_log.lane, commit_log.no") => WriteError::NumberTaken,
        () if broken("event.match_id, event.seq") => WriteError::EventTaken,
        () if broken("match.owner, match.create_request_hash") => WriteError::CreateTaken,
        () => WriteError::Refused { what },
    }
}

fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let extended: i32 = error.as_database_error()?.code()?.parse().ok()?;
    Some(extended & 0xff)
}
