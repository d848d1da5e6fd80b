//! The table `event`.

use bytes::Bytes;
use event::{RedactedEvent, Sealed, SealedPart};

use super::columns::{Column, Value};
use super::row::row;
use super::values::{corrupt, decode_hash, decode_optional_hash, decode_seq, encode_seq};
use crate::batch::BatchEvent;
use crate::{Hlc, MatchId, ReadError, RecordTime, Seq, StoredEvent};

/// Returns the columns that differ between the events of a batch, in the order in which statements bind them.
/// The other columns are `hlc`, `writer` and `batch`.
pub(crate) fn event_columns<'e>() -> [Column<BatchEvent<'e>>; 10] {
    [
        Column { name: "match_id", value: Value::Uuid(|row| Some(row.match_id.0)) },
        Column { name: "seq", value: Value::Integer(|row| Some(encode_seq(row.new.event.seq))) },
        Column { name: "record_time", value: Value::BigInt(|row| Some(row.new.event.record_time.0)) },
        Column { name: "kind", value: Value::Integer(|row| Some(row.new.event.kind.into())) },
        Column { name: "to_act", value: Value::SmallInt(|row| Some(row.to_act?.bits().into())) },
        Column { name: "request_hash", value: Value::Hash(|row| row.new.request_hash) },
        Column { name: "hash", value: Value::Hash(|row| Some(row.new.event.hash)) },
        Column { name: "public", value: Value::Bytes(|row| Some(&row.new.event.public)) },
        Column { name: "sealed", value: Value::Bytes(|row| row.new.sealed().map(|bytes| &bytes[..])) },
        Column { name: "sealed_hash", value: Value::Hash(|row| row.new.event.commitment()) },
    ]
}

/// Returns what statements bind for each event of a batch: its columns, and the hash that the event before
/// must have.
pub(crate) fn event_parameters<'e>() -> impl Iterator<Item = Column<BatchEvent<'e>>> {
    let previous: Column<BatchEvent<'e>> =
        Column { name: "previous_hash", value: Value::Hash(|row| row.previous_hash) };
    event_columns().into_iter().chain([previous])
}

row! {
    /// A row that `read_events.sql` returns.
    pub(crate) struct EventRow {
        hlc: i64,
        seq: i32,
        record_time: i64,
        kind: i32,
        request_hash: Option<Vec<u8>>,
        hash: Vec<u8>,
        public: Vec<u8>,
        sealed: Option<Vec<u8>>,
        /// Absent if `sealed` is present, which contains it.
        sealed_hash: Option<Vec<u8>>,
    }
}

impl EventRow {
    /// Decodes a row of this match.
    pub(crate) fn decode(self, match_id: MatchId) -> Result<StoredEvent, ReadError> {
        let seq = decode_seq(self.seq)?;
        self.decode_at(seq).map_err(|error| error.at(match_id, seq))
    }

    fn decode_at(self, seq: Seq) -> Result<StoredEvent, ReadError> {
        let event = RedactedEvent {
            seq,
            record_time: RecordTime(self.record_time),
            kind: self.kind.try_into().map_err(|_| corrupt("kind"))?,
            hash: decode_hash(self.hash, "hash")?,
            public: Bytes::from(self.public),
            sealed: decode_sealed(self.sealed, self.sealed_hash)?,
        };
        let request_hash = decode_optional_hash(self.request_hash, "request_hash")?;
        Ok(StoredEvent { event, request_hash, hlc: Hlc(self.hlc) })
    }
}

/// Decodes the sealed part of which bytes or commitment are stored.
fn decode_sealed(bytes: Option<Vec<u8>>, hash: Option<Vec<u8>>) -> Result<Option<SealedPart>, ReadError> {
    let Some(bytes) = bytes else {
        return Ok(decode_optional_hash(hash, "sealed_hash")?.map(SealedPart::Closed));
    };
    let sealed = Sealed::from_bytes(Bytes::from(bytes)).ok_or_else(|| corrupt("sealed"))?;
    Ok(Some(SealedPart::Open(sealed)))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_wrong_value_is_reported_with_its_match_and_seq() {
        let row = EventRow {
            hlc: 1,
            seq: 7,
            record_time: 1,
            kind: 3,
            request_hash: None,
            hash: vec![0; 32],
            public: vec![],
            // Shorter than a salt.
            sealed: Some(vec![0; 31]),
            sealed_hash: None,
        };
        let match_id = MatchId(Uuid::from_u128(5));
        let error = row.decode(match_id).err().unwrap();
        assert_eq!(error, ReadError::Corrupt { what: "sealed".to_owned(), event: Some((match_id, Seq(7))) });
        assert_eq!(
            error.to_string(),
            "the database holds a value that the journal did not write: sealed of event 7 of match \
             00000000-0000-0000-0000-000000000005"
        );
    }
}
