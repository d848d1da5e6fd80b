//! The statements whose columns come from the tables in `crate::sql`.

use std::sync::{Arc, LazyLock};

use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{QueryBuilder, Sqlite as Db};

use crate::sql::{
    Column, DEADLINE_COLUMNS, LookUp, SEAT_COLUMNS, Value, event_columns, event_parameters, fill,
    full_selection, joined_selection, label_columns, list_query, match_columns,
};
use crate::store::MatchRange;
use crate::{MatchId, Shards};

pub(super) type Statement<'q> = Query<'q, Db, SqliteArguments>;

pub(super) static INSERT_EVENT: LazyLock<String> = LazyLock::new(|| insert_events(1));
pub(super) static INSERT_16_EVENTS: LazyLock<String> = LazyLock::new(|| insert_events(16));
pub(super) static UPSERT_MATCH: LazyLock<String> = LazyLock::new(|| {
    let values = parameters(1, match_columns().len());
    fill(include_str!("sql/upsert_match.sql"), &[("{match_values}", values)])
});
pub(super) static UPSERT_SEAT: LazyLock<String> = LazyLock::new(|| {
    let values = parameters(1, SEAT_COLUMNS.len());
    fill(include_str!("sql/upsert_seat.sql"), &[("{seat_values}", values)])
});
pub(super) static INSERT_LABEL: LazyLock<String> = LazyLock::new(|| {
    let values = parameters(1, label_columns().len());
    fill(include_str!("sql/insert_label.sql"), &[("{label_values}", values)])
});
pub(super) static UPSERT_DEADLINE: LazyLock<String> = LazyLock::new(|| {
    let values = parameters(1, DEADLINE_COLUMNS.len());
    fill(include_str!("sql/upsert_deadline.sql"), &[("{deadline_values}", values)])
});

/// Returns the statement that inserts `count` events. Its parameters are hlc, writer, batch, and the columns
/// of each event with the hash that the event before must have.
fn insert_events(count: usize) -> String {
    let columns = event_columns().len();
    let row = |n: usize| {
        let id = 4 + n * event_parameters().count();
        let (seq, previous) = (id + 1, id + columns);
        let stored = format!("SELECT hash FROM event WHERE match_id = ?{id} AND seq = ?{seq} - 1");
        let batch = format!("CASE WHEN ?{previous} IS NULL OR ?{previous} = ({stored}) THEN ?3 END");
        format!("(?1, ?2, {batch}, {})", parameters(id, columns))
    };
    let rows = (0..count).map(row).collect::<Vec<_>>().join(",\n    ");
    fill(include_str!("sql/insert_events.sql"), &[("{event_rows}", rows)])
}

/// Lists `count` parameters from `?first` on.
fn parameters(first: usize, count: usize) -> String {
    (first..first + count).map(|n| format!("?{n}")).collect::<Vec<_>>().join(", ")
}

/// Binds a row's values in the order of its columns.
pub(super) fn bind_row<'q, 'c, T: 'c>(
    statement: Statement<'q>,
    columns: impl IntoIterator<Item = &'c Column<T>>,
    row: &T,
) -> Statement<'q> {
    columns.into_iter().fold(statement, |statement, column| match column.value {
        Value::Uuid(value) => statement.bind(value(row)),
        Value::Text(value) => statement.bind(value(row)),
        Value::Bytes(value) => statement.bind(value(row)),
        Value::Hash(value) => statement.bind(value(row).map(Vec::from)),
        Value::SmallInt(value) => statement.bind(value(row)),
        Value::Integer(value) => statement.bind(value(row)),
        Value::BigInt(value) => statement.bind(value(row)),
    })
}

/// The queries that return matches with their seats; cheap to clone.
#[derive(Clone)]
pub(super) struct MatchQueries {
    /// What they select.
    selection: Arc<str>,
    pub(super) by_id: Arc<str>,
    pub(super) by_create_request: Arc<str>,
    pub(super) by_external_id: Arc<str>,
}

impl MatchQueries {
    /// Returns the queries for the tables of this program.
    pub(super) fn new() -> Self {
        Self::selecting(full_selection())
    }

    /// Returns the queries for tables with these columns, such as an older program's.
    pub(super) fn of_tables(matches: &[String], seats: &[String]) -> Self {
        Self::selecting(joined_selection(matches, seats))
    }

    fn selecting(selection: String) -> Self {
        let query = |template| fill(template, &[("{selection}", selection.clone())]).into();
        Self {
            by_id: query(include_str!("sql/read_match.sql")),
            by_create_request: query(include_str!("sql/read_match_by_create_request.sql")),
            by_external_id: query(include_str!("sql/read_match_by_external_id.sql")),
            selection: selection.into(),
        }
    }

    /// Returns the query for these matches.
    pub(super) fn by_ids(&self, ids: &[MatchId]) -> QueryBuilder<Db> {
        let mut query = QueryBuilder::new("SELECT ");
        query.push(&*self.selection).push(
            " FROM \"match\" AS m LEFT JOIN match_seat AS s ON s.match_id = m.match_id WHERE m.match_id IN (",
        );
        let mut list = query.separated(", ");
        for id in ids {
            list.push_bind(id.0);
        }
        query.push(")");
        query
    }

    /// Returns the query for a range of the directory.
    pub(super) fn list(&self, range: &MatchRange) -> QueryBuilder<Db> {
        list_query(&self.selection, range, LookUp::CrossJoin, Shards::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_binds_three_common_parameters_and_its_columns() {
        let row = "VALUES (?1, ?2, CASE WHEN ?14 IS NULL OR ?14 = (SELECT hash FROM event WHERE \
                   match_id = ?4 AND seq = ?5 - 1) THEN ?3 END, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \
                   ?13)\n";
        assert!(INSERT_EVENT.ends_with(row), "{}", *INSERT_EVENT);
        let last = "?179 = (SELECT hash FROM event WHERE match_id = ?169 AND seq = ?170 - 1) THEN ?3 END, ";
        assert!(INSERT_16_EVENTS.contains(last), "{}", *INSERT_16_EVENTS);
        assert!(INSERT_16_EVENTS.ends_with(", ?177, ?178)\n"));
    }
}
