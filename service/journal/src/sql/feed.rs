//! Rows and parameters of the feed's queries.

use bytes::Bytes;
use event::{RedactedEvent, SealedPart};
use uuid::Uuid;

use super::row::row;
use super::values::{corrupt, decode_hash, decode_optional_hash, decode_seq};
use crate::store::FeedRow;
use crate::{FeedCursor, FeedItem, Hlc, MatchId, ReadError, RecordTime, Scope, Seq, Visibility};

row! {
    /// A row that `read_feed.sql` or `read_feed_of_scope.sql` returns.
    pub(crate) struct FeedEventRow {
        hlc: i64,
        match_id: Uuid,
        seq: i32,
        record_time: i64,
        kind: i32,
        hash: Vec<u8>,
        /// NULL if the event is out of scope.
        public: Option<Vec<u8>>,
        sealed_hash: Option<Vec<u8>>,
    }
}

impl TryFrom<FeedEventRow> for FeedRow {
    type Error = ReadError;

    fn try_from(row: FeedEventRow) -> Result<FeedRow, ReadError> {
        let cursor =
            FeedCursor { hlc: Hlc(row.hlc), match_id: MatchId(row.match_id), seq: decode_seq(row.seq)? };
        let event = row.event(cursor.seq).map_err(|error| error.at(cursor.match_id, cursor.seq))?;
        Ok(FeedRow { cursor, item: event.map(|event| FeedItem { cursor, event }) })
    }
}

impl FeedEventRow {
    /// Decodes the event; `None` if it is out of scope.
    fn event(self, seq: Seq) -> Result<Option<RedactedEvent>, ReadError> {
        let Some(public) = self.public else { return Ok(None) };
        let commitment = decode_optional_hash(self.sealed_hash, "sealed_hash")?;
        Ok(Some(RedactedEvent {
            seq,
            record_time: RecordTime(self.record_time),
            kind: self.kind.try_into().map_err(|_| corrupt("kind"))?,
            hash: decode_hash(self.hash, "hash")?,
            public: Bytes::from(public),
            sealed: commitment.map(SealedPart::Closed),
        }))
    }
}

/// Returns owner and visibility, of which a match in scope has at least one. Returns `None` if every match is
/// in scope.
pub(crate) fn scope_parameters(scope: &Scope) -> Option<(Option<&str>, Option<&'static str>)> {
    match scope {
        Scope::Everything => None,
        Scope::OwnedBy(owner) => Some((Some(owner), None)),
        Scope::Public => Some((None, Some(Visibility::Public.as_str()))),
        Scope::PublicOrOwnedBy(owner) => Some((Some(owner), Some(Visibility::Public.as_str()))),
    }
}
