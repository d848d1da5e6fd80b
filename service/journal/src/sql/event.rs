//! The table `event`.

use bytes::Bytes;
use event::{Event, Sealed};
use sqlx::FromRow;

use super::columns::{Column, Value};
use super::values::{corrupt, decode_hash, decode_optional_hash, decode_seq, encode_seq};
use crate::{Hlc, MatchId, NewEvent, ReadError, RecordTime, StoredEvent};

/// Returns the columns that differ between the events of a batch, in the order in which statements bind them.
/// The other columns are `hlc`, `writer` and `batch`.
pub(crate) fn event_columns<'e>() -> [Column<(MatchId, &'e NewEvent)>; 9] {
    [
        Column { name: "match_id", value: Value::Uuid(|(id, _)| Some(id.0)) },
        Column { name: "seq", value: Value::Integer(|(_, new)| Some(encode_seq(new.event.seq))) },
        Column { name: "record_time", value: Value::BigInt(|(_, new)| Some(new.event.record_time.0)) },
        Column { name: "kind", value: Value::Integer(|(_, new)| Some(new.event.kind.into())) },
        Column { name: "request_hash", value: Value::Hash(|(_, new)| new.request_hash) },
        Column { name: "hash", value: Value::Hash(|(_, new)| Some(new.event.hash)) },
        Column { name: "public", value: Value::Bytes(|(_, new)| Some(&new.event.public)) },
        Column { name: "sealed", value: Value::Bytes(|(_, new)| new.sealed().map(|bytes| &bytes[..])) },
        Column { name: "sealed_hash", value: Value::Hash(|(_, new)| new.event.commitment()) },
    ]
}

/// A row that `read_events.sql` returns.
#[derive(FromRow)]
pub(crate) struct EventRow {
    hlc: i64,
    seq: i32,
    record_time: i64,
    kind: i32,
    request_hash: Option<Vec<u8>>,
    hash: Vec<u8>,
    public: Vec<u8>,
    sealed: Option<Vec<u8>>,
}

impl TryFrom<EventRow> for StoredEvent {
    type Error = ReadError;

    fn try_from(row: EventRow) -> Result<StoredEvent, ReadError> {
        let event = Event {
            seq: decode_seq(row.seq)?,
            record_time: RecordTime(row.record_time),
            kind: row.kind.try_into().map_err(|_| corrupt("kind"))?,
            hash: decode_hash(row.hash, "hash")?,
            public: Bytes::from(row.public),
            sealed: row.sealed.map(decode_sealed).transpose()?,
        };
        let request_hash = decode_optional_hash(row.request_hash, "request_hash")?;
        Ok(StoredEvent { event, request_hash, hlc: Hlc(row.hlc) })
    }
}

fn decode_sealed(column: Vec<u8>) -> Result<Sealed, ReadError> {
    Sealed::from_bytes(Bytes::from(column)).ok_or_else(|| corrupt("sealed"))
}
