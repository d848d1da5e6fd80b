//! The table `match_seat`, and the rows of a query that joins `match` with it. A new column belongs here, in
//! `directory/match_row.rs` and in the migrations.

use std::collections::HashMap;

use sqlx::{ColumnIndex, Decode, FromRow, Row, Type};
use uuid::Uuid;

use super::columns::{Column, Value, selection};
use super::matches::{corrupt, match_columns, match_selection};
use crate::directory::MatchSeat;
use crate::{MatchRow, PlayerRow, SeatRow};

/// All columns, in the order in which statements bind them.
pub(crate) static SEAT_COLUMNS: [Column<MatchSeat>; 10] = [
    Column { name: "match_id", value: Value::Uuid(|seat| Some(seat.match_id.0)) },
    Column { name: "seat", value: Value::SmallInt(|seat| Some(seat.seat.into())) },
    Column { name: "owner", value: Value::Text(|seat| Some(&seat.owner)) },
    Column { name: "visibility", value: Value::Text(|seat| Some(seat.visibility.as_str())) },
    Column { name: "create_time", value: Value::BigInt(|seat| Some(seat.create_time.0)) },
    Column { name: "token_hash", value: Value::Hash(|seat| Some(seat.row.token_hash)) },
    Column { name: "generation", value: Value::BigInt(|seat| Some(seat.row.generation.into())) },
    Column { name: "salt", value: Value::Hash(|seat| seat.row.player.as_ref().map(|player| player.salt)) },
    Column {
        name: "display_name",
        value: Value::Text(|seat| seat.row.player.as_ref().map(|player| player.display_name.as_str())),
    },
    Column {
        name: "player_id",
        value: Value::Text(|seat| seat.row.player.as_ref().and_then(|player| player.player_id.as_deref())),
    },
];

/// The columns that `JoinedRow` reads; `match` has none of these names.
const READ: [&str; 6] = ["seat", "token_hash", "generation", "salt", "display_name", "player_id"];

/// What a query selects of `match m LEFT JOIN match_seat s`, from tables that have these columns.
pub(crate) fn joined_selection(match_found: &[String], seat_found: &[String]) -> String {
    format!("{}, {}", match_selection(match_found), selection("s", READ, seat_found))
}

/// What a query selects of this program's tables.
pub(crate) fn full_selection() -> String {
    let owned = |name: &str| name.to_owned();
    let matches: Vec<String> = match_columns().map(|column| owned(column.name)).collect();
    joined_selection(&matches, &READ.map(owned))
}

/// A row of a query that joins a match with its claimed seats: the match with one of them, or with none.
pub(crate) struct JoinedRow(MatchRow);

/// Puts the rows of each match together; matches keep the order in which they come first.
pub(crate) fn gather(rows: Vec<JoinedRow>) -> Vec<MatchRow> {
    let mut gathered: Vec<MatchRow> = Vec::new();
    let mut places = HashMap::new();
    for JoinedRow(row) in rows {
        match places.get(&row.match_id) {
            None => {
                places.insert(row.match_id, gathered.len());
                gathered.push(row);
            }
            Some(&place) => {
                for (seat, read) in gathered[place].seats.iter_mut().zip(row.seats) {
                    *seat = read.or(seat.take());
                }
            }
        }
    }
    gathered
}

impl<'r, R: Row> FromRow<'r, R> for JoinedRow
where
    MatchRow: FromRow<'r, R>,
    &'static str: ColumnIndex<R>,
    Option<Uuid>: Decode<'r, R::Database> + Type<R::Database>,
    Option<String>: Decode<'r, R::Database> + Type<R::Database>,
    Option<Vec<u8>>: Decode<'r, R::Database> + Type<R::Database>,
    Option<i16>: Decode<'r, R::Database> + Type<R::Database>,
    Option<i64>: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<JoinedRow, sqlx::Error> {
        let mut read = MatchRow::from_row(row)?;
        if let Some(number) = row.try_get::<Option<i16>, _>("seat")? {
            let place = usize::try_from(number).ok().and_then(|number| read.seats.get_mut(number));
            let place = place.ok_or_else(|| corrupt("seat"))?;
            let hash: Option<Vec<u8>> = row.try_get("token_hash")?;
            let generation: Option<i64> = row.try_get("generation")?;
            let salt: Option<Vec<u8>> = row.try_get("salt")?;
            let salt = salt.map(<[u8; 32]>::try_from).transpose().map_err(|_| corrupt("salt"))?;
            let player_id: Option<String> = row.try_get("player_id")?;
            let display_name: Option<String> = row.try_get("display_name")?;
            let named = salt.zip(display_name);
            *place = Some(SeatRow {
                token_hash: hash.and_then(|h| h.try_into().ok()).ok_or_else(|| corrupt("token_hash"))?,
                generation: generation
                    .and_then(|number| number.try_into().ok())
                    .ok_or_else(|| corrupt("generation"))?,
                player: named.map(|(salt, display_name)| PlayerRow { salt, display_name, player_id }),
            });
        }
        Ok(JoinedRow(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::id;

    #[test]
    fn seats_are_put_together_by_match_in_the_order_of_the_matches() {
        let seat = |generation| Some(SeatRow { token_hash: [1; 32], generation, player: None });
        let row = |n, seats| JoinedRow(MatchRow { seats, ..MatchRow::new(id(n)) });
        let rows = vec![
            row(2, vec![None, seat(5)]),
            row(1, vec![None, None]),
            row(2, vec![seat(4), None]),
            row(3, vec![seat(6), None]),
        ];
        let gathered: Vec<_> = gather(rows).into_iter().map(|row| (row.match_id, row.seats)).collect();
        let wanted =
            [(id(2), vec![seat(4), seat(5)]), (id(1), vec![None, None]), (id(3), vec![seat(6), None])];
        assert_eq!(gathered, wanted);
    }
}
