//! Encoding and decoding of single values. A value that the journal would not have written is an error.

use crate::store::MatchHead;
use crate::{Head, MatchId, ReadError, Seq};

/// Encodes a seq. `Append::check` guarantees that it fits.
pub(crate) fn encode_seq(seq: Seq) -> i32 {
    i32::try_from(seq.0).unwrap_or(i32::MAX)
}

/// Decodes a seq.
pub(crate) fn decode_seq(column: i32) -> Result<Seq, ReadError> {
    column.try_into().map(Seq).map_err(|_| corrupt("seq"))
}

/// Decodes a hash from the column `name`.
pub(crate) fn decode_hash(column: Vec<u8>, name: &str) -> Result<[u8; 32], ReadError> {
    column.try_into().map_err(|_| corrupt(name))
}

/// Decodes the newest event of a match.
pub(crate) fn decode_head((seq, hash): (i32, Vec<u8>)) -> Result<Head, ReadError> {
    Ok(Head { seq: decode_seq(seq)?, hash: decode_hash(hash, "hash")? })
}

/// Decodes the head of a match, with the hash of an event before.
pub(crate) fn decode_match_head(
    match_id: MatchId,
    seq: i32,
    previous_hash: Option<Vec<u8>>,
) -> Result<MatchHead, ReadError> {
    let previous_hash = decode_optional_hash(previous_hash, "hash")?;
    Ok(MatchHead { match_id, seq: decode_seq(seq)?, previous_hash })
}

/// Decodes a nullable hash from the column `name`.
pub(super) fn decode_optional_hash(
    column: Option<Vec<u8>>,
    name: &str,
) -> Result<Option<[u8; 32]>, ReadError> {
    column.map(|bytes| decode_hash(bytes, name)).transpose()
}

/// Returns the error for a wrong value in `column`.
pub(super) fn corrupt(column: &str) -> ReadError {
    ReadError::Corrupt { what: column.to_owned(), event: None }
}
