//! The binary form: a magic, then each record with its length before it.

use prost::Message;
use wire::v1::ExportLogResponse;

use super::FileError;

/// No text begins like this.
pub(super) const MAGIC: [u8; 8] = *b"\x8bmblog\n\x01";

/// A record, its length before it as a varint.
pub(super) fn delimited(record: &ExportLogResponse) -> Vec<u8> {
    record.encode_length_delimited_to_vec()
}

/// The records of a file; each has to be as this build would write it.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<ExportLogResponse>, FileError> {
    let mut rest = bytes.strip_prefix(&MAGIC).ok_or(FileError::UnknownForm)?;
    let mut records = Vec::new();
    while !rest.is_empty() {
        let at = records.len() + 1;
        let bad = |problem| FileError::Record { record: at, problem };
        let before = rest;
        let record = ExportLogResponse::decode_length_delimited(&mut rest)
            .map_err(|_| bad("it can't be decoded, or is cut"))?;
        let taken = &before[..before.len() - rest.len()];
        if delimited(&record) != taken {
            return Err(bad("it can be written in another way"));
        }
        records.push(record);
    }
    Ok(records)
}
