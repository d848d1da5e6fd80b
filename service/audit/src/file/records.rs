//! The records of a file: their order, and their conversion from and to protobuf.

use bytes::Bytes;
use event::{MatchId, RecordTime, SealedPart, Seq};
use replay::log_event_to_wire;
use uuid::Uuid;
use wire::v1 as proto;
use wire::v1::export_log_response::Record;

use super::{FORMAT_VERSION, FileError, FileEvent, FilePart, LogFile, LogFileHeader, MAX_FILE_EVENTS};

/// Maximum size of an event's public part, and of its sealed part, in bytes.
const MAX_PART_BYTES: usize = 4 << 20;

/// Puts a file together: a header, events, a head.
pub(super) fn assemble(records: Vec<proto::ExportLogResponse>) -> Result<LogFile, FileError> {
    let count = records.len();
    let mut records = records.into_iter().map(|record| record.record);
    let header = match records.next() {
        Some(Some(Record::Header(header))) => read_header(header)?,
        _ => return Err(FileError::Record { record: 1, problem: "the first record must be the header" }),
    };
    let mut events = Vec::with_capacity(count);
    for (record, index) in records.zip(2..) {
        let bad = |problem| FileError::Record { record: index, problem };
        match record {
            Some(Record::Event(_)) if events.len() == MAX_FILE_EVENTS => {
                return Err(FileError::TooLarge { limit: "1048576 events" });
            }
            Some(Record::Event(event)) => events.push(read_event(event).map_err(bad)?),
            Some(Record::Head(head)) if index == count => {
                let texts = [&header.service, &header.game, &head.note, &head.public_key];
                if texts.into_iter().any(|text| text.chars().any(|c| c.is_control() && c != '\n')) {
                    return Err(bad("a string has control characters"));
                }
                return Ok(LogFile { header, events, note: head.note, public_key: head.public_key });
            }
            Some(Record::Head(_)) => return Err(bad("the head must be the last record")),
            Some(Record::Header(_)) | None => return Err(bad("expected an event or the head")),
        }
    }
    Err(FileError::NoHead { records: count })
}

/// Returns the records of a file in order.
pub(super) fn of(file: &LogFile) -> impl Iterator<Item = proto::ExportLogResponse> {
    let head = proto::LogHead { note: file.note.clone(), public_key: file.public_key.clone() };
    let records = std::iter::once(Record::Header(file.header.to_wire()));
    let records = records.chain(file.events.iter().map(|event| Record::Event(event_to_wire(event))));
    records.chain([Record::Head(head)]).map(|record| proto::ExportLogResponse { record: Some(record) })
}

impl LogFileHeader {
    /// Converts the header to its record.
    pub(crate) fn to_wire(&self) -> proto::LogHeader {
        proto::LogHeader {
            format_version: FORMAT_VERSION,
            service: self.service.clone(),
            match_id: self.match_id.to_string(),
            game_id: self.game.clone(),
            rules_version: self.rules_version,
        }
    }
}

fn event_to_wire(event: &FileEvent) -> proto::LogEvent {
    let opened = event.sealed.as_ref().and_then(|part| part.opened.as_ref());
    let closed = event.map_sealed(|part| SealedPart::Closed(part.commitment));
    proto::LogEvent { opened: opened.map(|bytes| bytes.to_vec()), ..log_event_to_wire(&closed) }
}

fn read_header(header: proto::LogHeader) -> Result<LogFileHeader, FileError> {
    if header.format_version != FORMAT_VERSION {
        return Err(FileError::FormatVersion(header.format_version));
    }
    let match_id = Uuid::try_parse(&header.match_id).ok().filter(|id| id.to_string() == header.match_id);
    let bad_id =
        FileError::Record { record: 1, problem: "the match id is not a lower-case UUID with hyphens" };
    Ok(LogFileHeader {
        service: header.service,
        match_id: MatchId(match_id.ok_or(bad_id)?),
        game: header.game_id,
        rules_version: header.rules_version,
    })
}

fn read_event(event: proto::LogEvent) -> Result<FileEvent, &'static str> {
    let hash = |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes).map_err(|_| "a hash must have 32 bytes");
    if event.public_part.len() > MAX_PART_BYTES
        || event.opened.as_ref().is_some_and(|opened| opened.len() > MAX_PART_BYTES)
    {
        return Err("a part of an event exceeds 4 MiB");
    }
    let sealed = match (event.commitment, event.opened.map(Bytes::from)) {
        (Some(commitment), opened) => Some(FilePart { commitment: hash(commitment)?, opened }),
        (None, Some(_)) => return Err("an opened part has no commitment"),
        (None, None) => None,
    };
    Ok(FileEvent {
        seq: Seq(event.seq),
        record_time: RecordTime(event.record_time_us),
        kind: u16::try_from(event.kind).map_err(|_| "an event's kind exceeds 65535")?,
        public: event.public_part.into(),
        sealed,
        hash: hash(event.hash)?,
    })
}
