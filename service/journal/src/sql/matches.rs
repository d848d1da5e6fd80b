//! The table `match`. A new column belongs here, in `directory/match_row.rs`, in the migrations and,
//! if it has a constraint, in `backends/memory/rows.rs`.

use sqlx::error::BoxDynError;
use sqlx::{ColumnIndex, Decode, FromRow, Row, Type};
use uuid::Uuid;

use super::columns::{Column, Value, selection};
use super::values::{decode_seq, encode_seq};
use crate::directory::MAX_SEATS;
use crate::{MatchId, MatchOutcome, MatchRow, MatchStatus, RecordTime, SeatRow, Seq, Visibility};

/// All columns, in the order in which statements bind them.
static COLUMNS: &[MatchColumn] = &[
    column(
        "match_id",
        Value::Uuid(|row| Some(row.match_id.0)),
        Read::Uuid(|row, id| set(&mut row.match_id, id.map(MatchId))),
    ),
    column(
        "owner",
        Value::Text(|row| Some(&row.registered.owner)),
        Read::Text(|row, owner| set(&mut row.registered.owner, owner)),
    ),
    column(
        "create_request_hash",
        Value::Hash(|row| row.registered.create_request_hash),
        Read::Bytes(|row, hash| set_hash(&mut row.registered.create_request_hash, hash)),
    ),
    column(
        "external_id",
        Value::Text(|row| row.registered.external_id.as_deref()),
        Read::Text(|row, id| set(&mut row.registered.external_id, Some(id))),
    ),
    column(
        "labels_hash",
        Value::Hash(|row| row.registered.labels_hash),
        Read::Bytes(|row, hash| set_hash(&mut row.registered.labels_hash, hash)),
    ),
    column("game", Value::Text(|row| Some(&row.game)), Read::Text(|row, game| set(&mut row.game, game))),
    column(
        "status",
        Value::Text(|row| Some(row.status.as_str())),
        Read::Text(|row, word| set(&mut row.status, word.as_deref().and_then(MatchStatus::from_word))),
    ),
    column(
        "visibility",
        Value::Text(|row| Some(row.visibility.as_str())),
        Read::Text(|row, word| set(&mut row.visibility, word.as_deref().and_then(Visibility::from_word))),
    ),
    column(
        "create_time",
        Value::BigInt(|row| Some(row.create_time.0)),
        Read::BigInt(|row, time| set(&mut row.create_time, time.map(RecordTime))),
    ),
    column(
        "start_time",
        Value::BigInt(|row| row.start_time.map(|time| time.0)),
        Read::BigInt(|row, time| set(&mut row.start_time, Some(time.map(RecordTime)))),
    ),
    column(
        "end_time",
        Value::BigInt(|row| row.end_time.map(|time| time.0)),
        Read::BigInt(|row, time| set(&mut row.end_time, Some(time.map(RecordTime)))),
    ),
    column(
        "seat_count",
        Value::SmallInt(|row| i16::try_from(row.seats.len()).ok()),
        Read::SmallInt(|row, count| set(&mut row.seats, count.and_then(unclaimed_seats))),
    ),
    column(
        "outcome",
        Value::Text(|row| row.outcome.map(MatchOutcome::as_str)),
        Read::Text(|row, word| set(&mut row.outcome, outcome(word))),
    ),
    column(
        "ranks",
        Value::Bytes(|row| Some(row.ranks.as_slice()).filter(|ranks| !ranks.is_empty())),
        Read::Bytes(|row, ranks| set(&mut row.ranks, Some(ranks.unwrap_or_default()))),
    ),
    column(
        "reason",
        Value::Text(|row| row.reason.as_deref()),
        Read::Text(|row, reason| set(&mut row.reason, Some(reason))),
    ),
    column(
        "parent_match_id",
        Value::Uuid(|row| row.parent.map(|(id, _)| id.0)),
        // The next column completes it.
        Read::Uuid(|row, id| set(&mut row.parent, Some(id.map(|id| (MatchId(id), Seq(0)))))),
    ),
    column(
        "parent_seq",
        Value::Integer(|row| row.parent.map(|(_, seq)| encode_seq(seq))),
        Read::Integer(set_parent_seq),
    ),
];

/// A column of `match`, and how a row that a query returns is read from it.
struct MatchColumn {
    written: Column<MatchRow>,
    read: Read,
}

/// How to set the field of a column, by the column's SQL type. Returns `None` for a value that the journal
/// would not have written.
enum Read {
    Uuid(fn(&mut MatchRow, Option<Uuid>) -> Option<()>),
    Text(fn(&mut MatchRow, Option<String>) -> Option<()>),
    Bytes(fn(&mut MatchRow, Option<Vec<u8>>) -> Option<()>),
    SmallInt(fn(&mut MatchRow, Option<i16>) -> Option<()>),
    Integer(fn(&mut MatchRow, Option<i32>) -> Option<()>),
    BigInt(fn(&mut MatchRow, Option<i64>) -> Option<()>),
}

const fn column(name: &'static str, value: Value<MatchRow>, read: Read) -> MatchColumn {
    MatchColumn { written: Column { name, value }, read }
}

fn set<T>(field: &mut T, value: Option<T>) -> Option<()> {
    *field = value?;
    Some(())
}

fn set_hash(field: &mut Option<[u8; 32]>, bytes: Option<Vec<u8>>) -> Option<()> {
    set(field, bytes.map(<[u8; 32]>::try_from).transpose().ok())
}

/// Returns the seats of a match before their rows are read.
fn unclaimed_seats(count: i16) -> Option<Vec<Option<SeatRow>>> {
    usize::try_from(count).ok().filter(|count| (1..=MAX_SEATS).contains(count)).map(|count| vec![None; count])
}

/// Returns the outcome of a match that has one, or `None` for a word that no outcome has.
fn outcome(word: Option<String>) -> Option<Option<MatchOutcome>> {
    word.map_or(Some(None), |word| MatchOutcome::from_word(&word).map(Some))
}

fn set_parent_seq(row: &mut MatchRow, seq: Option<i32>) -> Option<()> {
    let seq = seq.map(decode_seq).transpose().ok()?;
    row.parent = row.parent.zip(seq).map(|((id, _), seq)| (id, seq));
    Some(())
}

/// Returns all columns, in the order in which statements bind them.
pub(crate) fn match_columns() -> impl ExactSizeIterator<Item = &'static Column<MatchRow>> + Clone {
    COLUMNS.iter().map(|column| &column.written)
}

/// Lists what a query selects of the table `m`, which has the columns `found`.
pub(super) fn match_selection(found: &[String]) -> String {
    selection("m", match_columns().map(|column| column.name), found)
}

impl<'r, R: Row> FromRow<'r, R> for MatchRow
where
    &'static str: ColumnIndex<R>,
    Option<Uuid>: Decode<'r, R::Database> + Type<R::Database>,
    Option<String>: Decode<'r, R::Database> + Type<R::Database>,
    Option<Vec<u8>>: Decode<'r, R::Database> + Type<R::Database>,
    Option<i16>: Decode<'r, R::Database> + Type<R::Database>,
    Option<i32>: Decode<'r, R::Database> + Type<R::Database>,
    Option<i64>: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<MatchRow, sqlx::Error> {
        let mut read = MatchRow::new(MatchId(Uuid::nil()));
        for MatchColumn { written: Column { name, .. }, read: how } in COLUMNS {
            let valid = match how {
                Read::Uuid(set) => set(&mut read, row.try_get(name)?),
                Read::Text(set) => set(&mut read, row.try_get(name)?),
                Read::Bytes(set) => set(&mut read, row.try_get(name)?),
                Read::SmallInt(set) => set(&mut read, row.try_get(name)?),
                Read::Integer(set) => set(&mut read, row.try_get(name)?),
                Read::BigInt(set) => set(&mut read, row.try_get(name)?),
            };
            valid.ok_or_else(|| corrupt(name))?;
        }
        Ok(read)
    }
}

/// Returns the error for a wrong value in `column`.
pub(super) fn corrupt(column: &str) -> sqlx::Error {
    let source: BoxDynError = "not a value that the journal writes".into();
    sqlx::Error::ColumnDecode { index: column.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::backends::{postgres, sqlite};
    use crate::sql::{DEADLINE_COLUMNS, SEAT_COLUMNS, event_columns, label_columns, names};

    #[test]
    fn both_schemas_have_exactly_these_columns_in_this_order() {
        for migrator in [&postgres::MIGRATOR, &sqlite::MIGRATOR] {
            let migrations = migrator.iter().map(|migration| migration.sql.as_str().replace('"', ""));
            let migrations = migrations.collect::<Vec<_>>().join("\n");
            let columns = |table: &str| -> Vec<String> {
                let (_, rest) = migrations.split_once(&format!("CREATE TABLE {table} (\n")).unwrap();
                let lines = rest.lines().take_while(|line| line.starts_with("    "));
                let add = format!("ALTER TABLE {table} ADD COLUMN ");
                let added = migrations.lines().filter_map(|line| line.strip_prefix(&add));
                let words = lines.chain(added).filter_map(|line| line.split_whitespace().next());
                let words = words.filter(|word| word.chars().all(|c| !c.is_uppercase())).map(str::to_owned);
                // The shard is the writer's: statements do not bind it.
                let (shard, columns): (Vec<_>, Vec<_>) = words.partition(|word| word == "shard");
                assert_eq!(shard, ["shard"], "{table}");
                columns
            };
            assert_eq!(columns("match").join(", "), names(match_columns()));
            assert_eq!(columns("match_seat").join(", "), names(&SEAT_COLUMNS));
            assert_eq!(columns("deadline").join(", "), names(&DEADLINE_COLUMNS));
            assert_eq!(columns("match_label").join(", "), names(&label_columns()));
            let common = ["hlc", "writer", "batch"];
            let events: Vec<_> = columns("event").into_iter().filter(|c| !common.contains(&&**c)).collect();
            assert_eq!(events.join(", "), names(&event_columns()));
        }
    }

    #[test]
    fn no_column_is_listed_twice() {
        let names: HashSet<_> = match_columns().map(|column| column.name).collect();
        assert_eq!(names.len(), match_columns().len());
    }
}
