//! The table `deadline`.

use uuid::Uuid;

use super::columns::{Column, Value};
use super::row::row;
use super::values::{decode_seq, encode_seq};
use crate::{Deadline, MatchId, ReadError, RecordTime};

/// All columns, in the order in which statements bind them.
pub(crate) static DEADLINE_COLUMNS: [Column<Deadline>; 3] = [
    Column { name: "match_id", value: Value::Uuid(|row| Some(row.match_id.0)) },
    Column { name: "seq", value: Value::Integer(|row| Some(encode_seq(row.seq))) },
    Column { name: "due", value: Value::BigInt(|row| Some(row.due.0)) },
];

row! {
    /// A row that a query returns.
    pub(crate) struct DeadlineRow {
        match_id: Uuid,
        seq: i32,
        due: i64,
    }
}

impl TryFrom<DeadlineRow> for Deadline {
    type Error = ReadError;

    fn try_from(row: DeadlineRow) -> Result<Deadline, ReadError> {
        Ok(Deadline { match_id: MatchId(row.match_id), seq: decode_seq(row.seq)?, due: RecordTime(row.due) })
    }
}
