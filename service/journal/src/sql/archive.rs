//! The tables of the archive.

use uuid::Uuid;

use super::values::{corrupt, decode_head};
use crate::{ArchivedPlace, FeedCursor, FeedNeeds, ReadError, SegmentRow, SegmentState};

/// Columns of `read_place.sql`.
pub(crate) type PlaceRow = (Uuid, i32, Vec<u8>);

/// Columns of `read_segments.sql`.
pub(crate) type SegmentColumns = (Uuid, String, Option<i64>, Option<i64>, Option<i64>);

/// Columns of `read_needed.sql`.
pub(crate) type NeedsRow = (Option<Vec<u8>>, Option<Vec<u8>>);

pub(crate) fn decode_place((segment, seq, hash): PlaceRow) -> Result<ArchivedPlace, ReadError> {
    Ok(ArchivedPlace { segment, head: decode_head((seq, hash))? })
}

pub(crate) fn decode_cursor(position: Vec<u8>) -> Result<FeedCursor, ReadError> {
    let bytes = <&[u8; FeedCursor::BYTES]>::try_from(position.as_slice()).ok();
    bytes.and_then(FeedCursor::from_bytes).ok_or_else(|| corrupt("position"))
}

pub(crate) fn decode_needs((webhook, delivery): NeedsRow) -> Result<FeedNeeds, ReadError> {
    let read_up_to = webhook.map(decode_cursor).transpose()?;
    Ok(FeedNeeds { read_up_to, first_pending: delivery.map(decode_cursor).transpose()? })
}

pub(crate) fn decode_segment(columns: SegmentColumns) -> Result<SegmentRow, ReadError> {
    let (segment, state, matches, events, bytes) = columns;
    let state = match (state.as_str(), matches, events, bytes) {
        ("writing", None, None, None) => SegmentState::Writing,
        ("archived", Some(matches), Some(events), Some(bytes)) => {
            let [matches, events, bytes] = [matches, events, bytes].map(i64::unsigned_abs);
            SegmentState::Archived { matches, events, bytes }
        }
        _ => return Err(corrupt("state")),
    };
    Ok(SegmentRow { segment, state })
}
