//! A column of a table: its name, and the value that a row of the journal's own type `T` has in it.

use uuid::Uuid;

/// A column that statements write.
pub(crate) struct Column<T> {
    pub(crate) name: &'static str,
    pub(crate) value: Value<T>,
}

/// How to get a column's value, by its SQL type. `None` is NULL.
pub(crate) enum Value<T> {
    Uuid(fn(&T) -> Option<Uuid>),
    Text(for<'a> fn(&'a T) -> Option<&'a str>),
    Bytes(for<'a> fn(&'a T) -> Option<&'a [u8]>),
    Hash(fn(&T) -> Option<[u8; 32]>),
    SmallInt(fn(&T) -> Option<i16>),
    Integer(fn(&T) -> Option<i32>),
    BigInt(fn(&T) -> Option<i64>),
}

/// Lists the columns' names, separated by commas.
pub(crate) fn names<'c, T: 'c>(columns: impl IntoIterator<Item = &'c Column<T>>) -> String {
    columns.into_iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

/// Lists what a query selects of a table with this alias, which has the columns `found`. The tables of an
/// older program lack the newest columns, which are then absent in all rows.
pub(crate) fn selection<'n>(
    alias: &str,
    wanted: impl IntoIterator<Item = &'n str>,
    found: &[String],
) -> String {
    let select = |name: &str| match found.iter().any(|found| found == name) {
        true => format!("{alias}.{name}"),
        false => format!("NULL AS {name}"),
    };
    wanted.into_iter().map(select).collect::<Vec<_>>().join(", ")
}

/// Lists the assignments of an upsert: every column but the key takes the value of the row to insert.
pub(crate) fn assignments<'c, T: 'c>(columns: impl IntoIterator<Item = &'c Column<T>>, key: &str) -> String {
    let assigned = columns.into_iter().filter(|column| column.name != key);
    assigned.map(|column| format!("{0} = excluded.{0}", column.name)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_the_table_lacks_is_null() {
        let found = ["status".to_owned(), "game".to_owned()];
        assert_eq!(selection("m", ["game", "reason", "status"], &found), "m.game, NULL AS reason, m.status");
    }
}
