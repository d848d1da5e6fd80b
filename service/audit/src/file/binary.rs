//! The binary form: a magic number, then each record with its length before it.

use prost::Message;
use wire::v1::ExportLogResponse;

use super::FileError;

/// First bytes of the binary form. No text starts like this.
pub(super) const MAGIC: [u8; 8] = *b"\x8bmblog\n\x01";

/// Formats a record, preceded by its length as a varint.
pub(super) fn delimited(record: &ExportLogResponse) -> Vec<u8> {
    record.encode_length_delimited_to_vec()
}

/// Reads the records of a file. Each must be spelled as this build would write it.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<ExportLogResponse>, FileError> {
    let mut rest = bytes.strip_prefix(&MAGIC).ok_or(FileError::UnknownForm)?;
    let mut records = Vec::new();
    while !rest.is_empty() {
        let index = records.len() + 1;
        let bad = |problem| FileError::Record { record: index, problem };
        let before = rest;
        let record = ExportLogResponse::decode_length_delimited(&mut rest)
            .map_err(|_| bad("it is truncated or not a protobuf message"))?;
        let consumed = &before[..before.len() - rest.len()];
        if delimited(&record) != consumed {
            return Err(bad("another encoding of the same content"));
        }
        records.push(record);
    }
    Ok(records)
}
