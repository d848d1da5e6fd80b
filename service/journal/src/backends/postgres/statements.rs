//! The statements whose columns come from the tables in `crate::sql`, and the binding of their parameters. A
//! batch is bound as one array per column, for `unnest`.

use std::sync::Arc;

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Postgres as Db, QueryBuilder, SqlSafeStr, SqlStr};

use crate::batch::{Batch, BatchId};
use crate::sql::{
    Column, DEADLINE_COLUMNS, LookUp, SEAT_COLUMNS, Value, event_parameters, fill, for_shards,
    full_selection, in_shard, joined_selection, label_columns, list_query, match_columns,
};
use crate::store::MatchRange;
use crate::{Shard, Shards};

pub(super) type Statement<'q> = Query<'q, Db, PgArguments>;

/// The statements of a writer, which name its shard.
pub(super) struct WriterSql {
    append: SqlStr,
    append_events: SqlStr,
    pub(super) append_empty: SqlStr,
    pub(super) open_writer: SqlStr,
    pub(super) close_writer: SqlStr,
    pub(super) erase_players: SqlStr,
    pub(super) read_commit: SqlStr,
    pub(super) read_heads: SqlStr,
}

impl WriterSql {
    /// Returns the statements of a writer of this shard.
    pub(super) fn new(shards: Shards, shard: Shard) -> WriterSql {
        // Made from a reference, a text is shared by its clones.
        let of_shard = |template: &str| AssertSqlSafe(&*in_shard(template, shards, shard)).into_sql_str();
        WriterSql {
            append: of_shard(&with_arrays(include_str!("sql/append.sql"))),
            append_events: of_shard(&with_arrays(include_str!("sql/append_events.sql"))),
            append_empty: of_shard(include_str!("sql/append_empty.sql")),
            open_writer: of_shard(include_str!("sql/open_writer.sql")),
            close_writer: of_shard(include_str!("sql/close_writer.sql")),
            erase_players: of_shard(include_str!("sql/erase_players.sql")),
            read_commit: of_shard(include_str!("sql/read_commit.sql")),
            read_heads: of_shard(include_str!("sql/read_heads.sql")),
        }
    }
}

/// Number of parameters before the arrays: writer, batch, hlc, previous hlc, body and count of the commit.
const COMMIT_PARAMETERS: usize = 6;

/// Fills in the array parameters, in the order in which `append` binds them.
fn with_arrays(template: &str) -> String {
    let events: Vec<_> = event_parameters().collect();
    let matches_from = COMMIT_PARAMETERS + 1 + events.len();
    let seats_from = matches_from + match_columns().len();
    let labels_from = seats_from + SEAT_COLUMNS.len();
    let deadlines_from = labels_from + label_columns().len();
    let cleared = deadlines_from + DEADLINE_COLUMNS.len();
    let arrays = [
        ("{event_values}", unnested(&events, COMMIT_PARAMETERS + 1)),
        ("{match_arrays}", arrays(match_columns(), matches_from)),
        ("{seat_arrays}", arrays(&SEAT_COLUMNS, seats_from)),
        ("{label_arrays}", arrays(&label_columns(), labels_from)),
        ("{deadline_arrays}", arrays(&DEADLINE_COLUMNS, deadlines_from)),
        ("{cleared_array}", format!("${cleared}::uuid[]")),
    ];
    fill(template, &arrays)
}

/// Lists an array parameter per column, from `$first` on.
fn arrays<'c, T: 'c>(columns: impl IntoIterator<Item = &'c Column<T>>, first: usize) -> String {
    let arrays =
        columns.into_iter().zip(first..).map(|(column, n)| format!("${n}::{}[]", sql_type(&column.value)));
    arrays.collect::<Vec<_>>().join(", ")
}

/// Lists the elements of an array parameter per column, from `$first` on. Selected like this, they are not
/// stored between, as those of `unnest` in a `FROM` are.
fn unnested<'c, T: 'c>(columns: impl IntoIterator<Item = &'c Column<T>>, first: usize) -> String {
    let values = columns
        .into_iter()
        .zip(first..)
        .map(|(column, n)| format!("unnest(${n}::{}[]) AS {}", sql_type(&column.value), column.name));
    values.collect::<Vec<_>>().join(", ")
}

fn sql_type<T>(value: &Value<T>) -> &'static str {
    match value {
        Value::Uuid(_) => "uuid",
        Value::Text(_) => "text",
        Value::Bytes(_) | Value::Hash(_) => "bytea",
        Value::SmallInt(_) => "smallint",
        Value::Integer(_) => "integer",
        Value::BigInt(_) => "bigint",
    }
}

/// Binds an array per column.
fn bind_arrays<'q, 'a, 'c, T: 'a + 'c>(
    statement: Statement<'q>,
    columns: impl IntoIterator<Item = &'c Column<T>>,
    rows: impl Iterator<Item = &'a T> + Clone,
) -> Statement<'q> {
    columns.into_iter().fold(statement, |statement, column| {
        let rows = rows.clone();
        match column.value {
            Value::Uuid(value) => statement.bind(rows.map(value).collect::<Vec<_>>()),
            Value::Text(value) => statement.bind(rows.map(value).collect::<Vec<_>>()),
            Value::Bytes(value) => statement.bind(rows.map(value).collect::<Vec<_>>()),
            Value::Hash(value) => statement.bind(rows.map(value).collect::<Vec<_>>()),
            Value::SmallInt(value) => statement.bind(rows.map(value).collect::<Vec<_>>()),
            Value::Integer(value) => statement.bind(rows.map(value).collect::<Vec<_>>()),
            Value::BigInt(value) => statement.bind(rows.map(value).collect::<Vec<_>>()),
        }
    })
}

/// Returns a statement whose first parameters are writer, batch, hlc, previous hlc and body.
pub(super) fn commit<'q>(sql: &SqlStr, id: BatchId, body: &'q [u8]) -> Statement<'q> {
    let statement = sqlx::query(sql.clone()).bind(id.writer.0).bind(id.number.0).bind(id.hlc.0);
    statement.bind(id.previous_hlc.0).bind(body)
}

/// Returns the statement that appends a batch of events.
pub(super) fn append<'q>(sql: &WriterSql, batch: &'q Batch) -> Statement<'q> {
    let (rows, labels, (set, clear)) = (batch.match_rows(), batch.labels(), batch.deadlines());
    let only_events = rows.is_empty() && set.is_empty() && clear.is_empty();
    let sql = if only_events { &sql.append_events } else { &sql.append };
    let events: Vec<_> = batch.events().collect();
    let count = i32::try_from(events.len()).unwrap_or(i32::MAX);
    let statement = commit(sql, batch.id, &batch.body).bind(count);
    let parameters: Vec<_> = event_parameters().collect();
    let statement = bind_arrays(statement, &parameters, events.iter());
    if only_events {
        return statement;
    }
    let seats = Batch::claimed_seats(&rows);
    let statement = bind_arrays(statement, match_columns(), rows.into_iter());
    let statement = bind_arrays(statement, &SEAT_COLUMNS, seats.iter());
    let statement = bind_arrays(statement, &label_columns(), labels.iter());
    let statement = bind_arrays(statement, &DEADLINE_COLUMNS, set.iter());
    statement.bind(clear.iter().map(|id| id.0).collect::<Vec<_>>())
}

/// The queries that return matches with their seats; cheap to clone.
#[derive(Clone)]
pub(super) struct MatchQueries {
    /// What they select.
    selection: Arc<str>,
    shards: Shards,
    pub(super) by_id: Arc<str>,
    pub(super) by_ids: Arc<str>,
    pub(super) by_create_request: Arc<str>,
    pub(super) by_external_id: Arc<str>,
}

impl MatchQueries {
    /// Returns the queries for the tables of this program.
    pub(super) fn new(shards: Shards) -> Self {
        Self::selecting(shards, full_selection())
    }

    /// Returns the queries for tables with these columns, such as an older program's.
    pub(super) fn of_tables(shards: Shards, matches: &[String], seats: &[String]) -> Self {
        Self::selecting(shards, joined_selection(matches, seats))
    }

    fn selecting(shards: Shards, selection: String) -> Self {
        let query =
            |template| fill(&for_shards(template, shards), &[("{selection}", selection.clone())]).into();
        Self {
            by_id: query(include_str!("sql/read_match.sql")),
            by_ids: query(include_str!("sql/read_matches.sql")),
            by_create_request: query(include_str!("sql/read_match_by_create_request.sql")),
            by_external_id: query(include_str!("sql/read_match_by_external_id.sql")),
            selection: selection.into(),
            shards,
        }
    }

    /// Returns the query for a range of the directory.
    pub(super) fn list(&self, range: &MatchRange) -> QueryBuilder<Db> {
        list_query(&self.selection, range, LookUp::Lateral, self.shards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_in_the_order_of_the_columns() {
        let sql = WriterSql::new(Shards::ONE, Shard::FIRST);
        let (append, append_events) = (sql.append.as_str(), sql.append_events.as_str());
        let events = "(SELECT unnest($7::uuid[]) AS match_id, unnest($8::integer[]) AS seq, \
                      unnest($9::bigint[]) AS record_time, unnest($10::integer[]) AS kind, \
                      unnest($11::smallint[]) AS to_act, unnest($12::bytea[]) AS request_hash, \
                      unnest($13::bytea[]) AS hash, unnest($14::bytea[]) AS public, \
                      unnest($15::bytea[]) AS sealed, unnest($16::bytea[]) AS sealed_hash, \
                      unnest($17::bytea[]) AS previous_hash) AS new_event";
        assert!(append.contains(events) && append_events.contains(events), "{}", append);
        let seats_from = 18 + match_columns().len();
        let deadlines_from = seats_from + SEAT_COLUMNS.len() + label_columns().len();
        let [id, seq, due, cleared] = std::array::from_fn(|n| deadlines_from + n);
        let deadlines = format!(
            "unnest(${id}::uuid[], ${seq}::integer[], ${due}::bigint[]) AS new_deadline (match_id, seq, due)"
        );
        let cleared = format!("ANY (${cleared}::uuid[])");
        assert!(append.contains(&deadlines) && append.contains(&cleared), "{}", append);
        for (n, column) in match_columns().enumerate() {
            let parameter = format!("${}::{}[]", n + 18, sql_type(&column.value));
            assert!(append.contains(&parameter), "{}: {parameter} in {}", column.name, append);
        }
        for (n, column) in SEAT_COLUMNS.iter().enumerate() {
            let parameter = format!("${}::{}[]", n + seats_from, sql_type(&column.value));
            assert!(append.contains(&parameter), "{}: {parameter} in {}", column.name, append);
        }
        assert!(!append.contains('{') && !append_events.contains('{'));
    }
    #[test]
    fn a_writers_statements_name_its_shard_in_every_table() {
        let four = Shards::new(4).unwrap();
        let last = four.all().last().unwrap();
        let sql = WriterSql::new(four, last);
        for table in ["event", "match", "match_seat", "match_label", "deadline", "commit_log"] {
            assert!(sql.append.as_str().contains(&format!("INSERT INTO {table} (shard, ")), "{table}");
        }
        assert!(sql.append.as_str().contains("previous.shard = 3 AND"));
        let one = WriterSql::new(Shards::ONE, Shard::FIRST);
        assert!(!one.append.as_str().contains("shard"), "{}", one.append.as_str());
    }
}
