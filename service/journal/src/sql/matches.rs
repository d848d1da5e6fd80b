//! The table `match`. A new field of the directory belongs here, in `directory/match_row.rs` and in the
//! migrations.

use sqlx::FromRow;
use uuid::Uuid;

use super::columns::{Column, Value};
use super::values::{corrupt, decode_optional_hash, decode_seq, encode_seq};
use crate::{MatchId, MatchRow, MatchStatus, ReadError, RecordTime, SeatRow, Visibility};

/// All columns, in the order in which statements bind them.
pub(crate) static MATCH_COLUMNS: [Column<MatchRow>; 19] = [
    Column { name: "match_id", value: Value::Uuid(|row| Some(row.match_id.0)) },
    Column { name: "owner", value: Value::Text(|row| Some(&row.owner)) },
    Column { name: "create_request_hash", value: Value::Hash(|row| row.create_request_hash) },
    Column { name: "game", value: Value::Text(|row| Some(&row.game)) },
    Column { name: "status", value: Value::Text(|row| Some(row.status.as_str())) },
    Column { name: "visibility", value: Value::Text(|row| Some(row.visibility.as_str())) },
    Column { name: "create_time", value: Value::BigInt(|row| Some(row.create_time.0)) },
    Column { name: "start_time", value: Value::BigInt(|row| row.start_time.map(|time| time.0)) },
    Column { name: "end_time", value: Value::BigInt(|row| row.end_time.map(|time| time.0)) },
    Column { name: "seat_0_player", value: Value::Text(|row| row.seats[0].player_name.as_deref()) },
    Column { name: "seat_0_token_hash", value: Value::Hash(|row| row.seats[0].token_hash) },
    Column { name: "seat_0_generation", value: Value::BigInt(|row| Some(row.seats[0].generation.into())) },
    Column { name: "seat_1_player", value: Value::Text(|row| row.seats[1].player_name.as_deref()) },
    Column { name: "seat_1_token_hash", value: Value::Hash(|row| row.seats[1].token_hash) },
    Column { name: "seat_1_generation", value: Value::BigInt(|row| Some(row.seats[1].generation.into())) },
    Column { name: "winner", value: Value::SmallInt(|row| row.winner.map(i16::from)) },
    Column { name: "reason", value: Value::Text(|row| row.reason.as_deref()) },
    Column { name: "parent_match_id", value: Value::Uuid(|row| row.parent.map(|(id, _)| id.0)) },
    Column { name: "parent_seq", value: Value::Integer(|row| row.parent.map(|(_, seq)| encode_seq(seq))) },
];

/// A row that a query returns.
#[derive(FromRow)]
pub(crate) struct MatchColumns {
    match_id: Uuid,
    owner: String,
    create_request_hash: Option<Vec<u8>>,
    game: String,
    status: String,
    visibility: String,
    create_time: i64,
    start_time: Option<i64>,
    end_time: Option<i64>,
    seat_0_player: Option<String>,
    seat_0_token_hash: Option<Vec<u8>>,
    seat_0_generation: i64,
    seat_1_player: Option<String>,
    seat_1_token_hash: Option<Vec<u8>>,
    seat_1_generation: i64,
    winner: Option<i16>,
    reason: Option<String>,
    parent_match_id: Option<Uuid>,
    parent_seq: Option<i32>,
}

impl TryFrom<MatchColumns> for MatchRow {
    type Error = ReadError;

    fn try_from(row: MatchColumns) -> Result<MatchRow, ReadError> {
        let parent = match (row.parent_match_id, row.parent_seq) {
            (Some(id), Some(seq)) => Some((MatchId(id), decode_seq(seq)?)),
            _ => None,
        };
        Ok(MatchRow {
            match_id: MatchId(row.match_id),
            owner: row.owner,
            create_request_hash: decode_optional_hash(row.create_request_hash, "create_request_hash")?,
            game: row.game,
            status: MatchStatus::from_word(&row.status).ok_or_else(|| corrupt("status"))?,
            visibility: Visibility::from_word(&row.visibility).ok_or_else(|| corrupt("visibility"))?,
            create_time: RecordTime(row.create_time),
            start_time: row.start_time.map(RecordTime),
            end_time: row.end_time.map(RecordTime),
            seats: [
                seat(row.seat_0_player, row.seat_0_token_hash, row.seat_0_generation)?,
                seat(row.seat_1_player, row.seat_1_token_hash, row.seat_1_generation)?,
            ],
            winner: row.winner.map(|w| w.try_into().map_err(|_| corrupt("winner"))).transpose()?,
            reason: row.reason,
            parent,
        })
    }
}

fn seat(
    player_name: Option<String>,
    token_hash: Option<Vec<u8>>,
    generation: i64,
) -> Result<SeatRow, ReadError> {
    Ok(SeatRow {
        player_name,
        token_hash: decode_optional_hash(token_hash, "token_hash")?,
        generation: generation.try_into().map_err(|_| corrupt("generation"))?,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::sql::{DEADLINE_COLUMNS, event_columns, names};

    #[test]
    fn both_schemas_have_exactly_these_columns_in_this_order() {
        for migration in [
            include_str!("../../../../migrations/postgres/0001_journal.sql"),
            include_str!("../../../../migrations/sqlite/0001_journal.sql"),
        ] {
            let migration = migration.replace('"', "");
            let columns = |table: &str| -> Vec<String> {
                let (_, rest) = migration.split_once(&format!("CREATE TABLE {table} (\n")).unwrap();
                let lines = rest.lines().take_while(|line| line.starts_with("    "));
                let words = lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
                words.filter(|word| word.chars().all(|c| !c.is_uppercase())).collect()
            };
            assert_eq!(columns("match").join(", "), names(&MATCH_COLUMNS));
            assert_eq!(columns("deadline").join(", "), names(&DEADLINE_COLUMNS));
            let common = ["hlc", "writer", "batch"];
            let events: Vec<_> = columns("event").into_iter().filter(|c| !common.contains(&&**c)).collect();
            assert_eq!(events.join(", "), names(&event_columns()));
        }
    }

    #[test]
    fn no_column_is_listed_twice() {
        let names: HashSet<_> = MATCH_COLUMNS.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), MATCH_COLUMNS.len());
    }
}
