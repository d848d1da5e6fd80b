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

/// Lists the assignments of an upsert: every column but the key takes the value of the row to insert.
pub(crate) fn assignments<'c, T: 'c>(columns: impl IntoIterator<Item = &'c Column<T>>, key: &str) -> String {
    let assigned = columns.into_iter().filter(|column| column.name != key);
    assigned.map(|column| format!("{0} = excluded.{0}", column.name)).collect::<Vec<_>>().join(", ")
}
