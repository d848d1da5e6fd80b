//! The portable file: a match's log with everything that is needed to check it, in two forms with the same content. Reading
//! accepts a form's one spelling only; what the content means is for `verify` to say.

mod binary;
mod json;
mod scan;

use bytes::Bytes;
use event::{ChainHash, MatchId, RecordedTime, Seq};
use uuid::Uuid;
use wire::v1 as proto;
use wire::v1::export_log_response::Record as Line;

/// The form of files that is written and read.
pub const FORMAT_VERSION: u32 = 1;

/// The most bytes of a file.
pub const MAX_FILE_BYTES: usize = 256 << 20;

/// The most events of a file.
pub const MAX_FILE_EVENTS: usize = 1 << 20;

/// The most bytes of an event's public part, and of its sealed part.
const MAX_PART_BYTES: usize = 4 << 20;

/// A log as a file has it. Nothing of it has been checked but its form.
#[derive(Clone, PartialEq, Eq)]
pub struct LogFile {
    /// Which log.
    pub header: Header,
    /// Its events as they stand there.
    pub events: Vec<FileEvent>,
    /// The signed note on it.
    pub note: String,
    /// The key that is said to have signed it.
    pub public_key: String,
}

/// Which log a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The service that exported it.
    pub service: String,
    /// The match.
    pub match_id: MatchId,
    /// The game's id.
    pub game: String,
    /// The rules version that the match is pinned to.
    pub rules_version: u32,
}

/// An event in a file.
#[derive(Clone, PartialEq, Eq)]
pub struct FileEvent {
    /// Its number in the match.
    pub seq: Seq,
    /// When it was recorded, in microseconds since 1970.
    pub recorded_time: RecordedTime,
    /// The number of its kind.
    pub kind: u16,
    /// The bytes of its public part.
    pub public: Bytes,
    /// SHA-256 of its sealed part, if it has one.
    pub commitment: Option<[u8; 32]>,
    /// Its sealed part, if it is told here.
    pub opened: Option<Bytes>,
    /// Its place in the chain.
    pub hash: ChainHash,
}

/// One of the two forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileForm {
    /// Lines of JSON.
    Json,
    /// Length-delimited protobuf messages after a magic.
    Binary,
}

/// Why bytes are no log file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// Neither form begins like this.
    #[error("this is no log file: it begins neither with a JSON header nor as the binary form does")]
    UnknownForm,
    /// A later form of files.
    #[error("format version {0} is not known here, only version 1")]
    FormatVersion(u32),
    /// A record is not as it has to be written.
    #[error("record {record} is not in canonical form: {problem}")]
    Record {
        /// Which, counted from 1.
        record: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// It ends too early.
    #[error("it ends after {records} records without a signed head: its tail is missing")]
    NoHead {
        /// How many there are.
        records: usize,
    },
    /// Larger than any file may be.
    #[error("it is larger than {what}")]
    TooLarge {
        /// The bound.
        what: &'static str,
    },
}

impl LogFile {
    /// Reads either form; anything but the one spelling of its content is an error.
    pub fn read(bytes: &[u8]) -> Result<(Self, FileForm), FileError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(FileError::TooLarge { what: "256 MiB" });
        }
        let (records, form) = match bytes.first() {
            Some(b'{') => (json::read(bytes)?, FileForm::Json),
            Some(&first) if first == binary::MAGIC[0] => (binary::read(bytes)?, FileForm::Binary),
            _ => return Err(FileError::UnknownForm),
        };
        Ok((Self::from_records(records)?, form))
    }

    /// The file's bytes in a form.
    pub fn write(&self, form: FileForm) -> Vec<u8> {
        let mut writer = FileWriter::new(form);
        let mut bytes = Vec::new();
        for record in self.to_records() {
            bytes.extend(writer.record(&record));
        }
        bytes
    }

    fn from_records(records: Vec<proto::ExportLogResponse>) -> Result<Self, FileError> {
        let count = records.len();
        let mut lines = records.into_iter().map(|record| record.record);
        let header = match lines.next() {
            Some(Some(Line::Header(header))) => read_header(header)?,
            _ => return Err(FileError::Record { record: 1, problem: "the first record is the header" }),
        };
        let mut events = Vec::with_capacity(count);
        for (line, record) in lines.zip(2..) {
            let misplaced = |problem| FileError::Record { record, problem };
            match line {
                Some(Line::Event(_)) if events.len() == MAX_FILE_EVENTS => {
                    return Err(FileError::TooLarge { what: "1048576 events" });
                }
                Some(Line::Event(event)) => events.push(read_event(event).map_err(misplaced)?),
                Some(Line::Head(head)) if record == count => {
                    return Ok(Self { header, events, note: head.note, public_key: head.public_key });
                }
                Some(Line::Head(_)) => return Err(misplaced("something stands before it that is a head")),
                Some(Line::Header(_)) | None => return Err(misplaced("an event or the head stands here")),
            }
        }
        Err(FileError::NoHead { records: count })
    }

    fn to_records(&self) -> impl Iterator<Item = proto::ExportLogResponse> {
        let head = proto::LogHead { note: self.note.clone(), public_key: self.public_key.clone() };
        let lines = std::iter::once(Line::Header(self.header.to_wire()));
        let lines = lines.chain(self.events.iter().map(|event| Line::Event(event.to_wire())));
        lines.chain([Line::Head(head)]).map(|line| proto::ExportLogResponse { record: Some(line) })
    }
}

/// Writes a file record by record, as they come from the service.
pub struct FileWriter {
    form: FileForm,
    begun: bool,
}

impl FileWriter {
    /// A file of this form, nothing written yet.
    pub fn new(form: FileForm) -> Self {
        Self { form, begun: false }
    }

    /// The bytes to write for the next record.
    pub fn record(&mut self, record: &proto::ExportLogResponse) -> Vec<u8> {
        let begun = std::mem::replace(&mut self.begun, true);
        match self.form {
            FileForm::Json => json::line(record),
            FileForm::Binary if begun => binary::delimited(record),
            FileForm::Binary => [binary::MAGIC.as_slice(), &binary::delimited(record)].concat(),
        }
    }
}

impl Header {
    /// The header as a record.
    pub fn to_wire(&self) -> proto::LogHeader {
        proto::LogHeader {
            format_version: FORMAT_VERSION,
            service: self.service.clone(),
            match_id: self.match_id.to_string(),
            game: self.game.clone(),
            rules_version: self.rules_version,
        }
    }
}

impl FileEvent {
    /// The event as a record.
    pub fn to_wire(&self) -> proto::LogEvent {
        proto::LogEvent {
            seq: self.seq.0,
            recorded_time: self.recorded_time.0,
            kind: u32::from(self.kind),
            public: self.public.to_vec(),
            commitment: self.commitment.map(|commitment| commitment.to_vec()),
            opened: self.opened.as_ref().map(|opened| opened.to_vec()),
            hash: self.hash.to_vec(),
        }
    }
}

fn read_header(header: proto::LogHeader) -> Result<Header, FileError> {
    let bad = |problem| FileError::Record { record: 1, problem };
    if header.format_version != FORMAT_VERSION {
        return Err(FileError::FormatVersion(header.format_version));
    }
    let match_id = Uuid::try_parse(&header.match_id).ok().filter(|id| id.to_string() == header.match_id);
    Ok(Header {
        service: header.service,
        match_id: match_id.map(MatchId).ok_or(bad("the match's id is a UUID in lower case with hyphens"))?,
        game: header.game,
        rules_version: header.rules_version,
    })
}

fn read_event(event: proto::LogEvent) -> Result<FileEvent, &'static str> {
    let hash = |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes).map_err(|_| "a hash has 32 bytes");
    if event.public.len() > MAX_PART_BYTES
        || event.opened.as_ref().is_some_and(|opened| opened.len() > MAX_PART_BYTES)
    {
        return Err("a part of an event has at most 4 MiB");
    }
    if event.opened.is_some() && event.commitment.is_none() {
        return Err("what is opened has a commitment");
    }
    Ok(FileEvent {
        seq: Seq(event.seq),
        recorded_time: RecordedTime(event.recorded_time),
        kind: u16::try_from(event.kind).map_err(|_| "a kind is at most 65535")?,
        public: event.public.into(),
        commitment: event.commitment.map(hash).transpose()?,
        opened: event.opened.map(Bytes::from),
        hash: hash(event.hash)?,
    })
}
