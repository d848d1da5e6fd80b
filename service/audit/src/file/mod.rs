//! The log file: a match's log with everything needed to verify it, in two forms with the same content. A
//! reader accepts exactly one spelling of each content; whether the content is true is for `verify` to say.

mod binary;
mod json;
mod records;
mod scan;

use bytes::Bytes;
use event::{Commitment, Event, MatchId};
use wire::v1 as proto;

/// The version of the file format that this build reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// Maximum size of a file, in bytes.
pub const MAX_FILE_BYTES: usize = 256 << 20;

/// Maximum number of events in a file.
pub const MAX_FILE_EVENTS: usize = 1 << 20;

/// A parsed file. Only its form has been checked.
#[derive(Clone, PartialEq, Eq)]
pub struct LogFile {
    /// Identifies the log.
    pub header: LogFileHeader,
    /// Events in file order.
    pub events: Vec<FileEvent>,
    /// Signed note on the log.
    pub note: String,
    /// Public key that is claimed to have signed the note.
    pub public_key: String,
}

/// The first record of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFileHeader {
    /// Name of the service that exported the log.
    pub service: String,
    /// The match.
    pub match_id: MatchId,
    /// Id of the game.
    pub game: String,
    /// Rules version that the match is pinned to.
    pub rules_version: u32,
}

/// An event in a file.
pub type FileEvent = Event<FilePart>;

/// The sealed part of an event in a file. Nothing says yet that the opening fits the commitment.
#[derive(Clone, PartialEq, Eq)]
pub struct FilePart {
    /// Claimed SHA-256 hash of the sealed part.
    pub commitment: Commitment,
    /// Bytes of the sealed part, if the file opens it here.
    pub opened: Option<Bytes>,
}

/// One of the two forms of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileForm {
    /// Lines of JSON.
    Json,
    /// Length-delimited protobuf messages after a magic number.
    Binary,
}

/// Why bytes are not a log file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// The bytes start like neither form.
    #[error(
        "not a log file: it starts neither with a JSON header nor with the magic number of the binary form"
    )]
    UnknownForm,
    /// The file has a later format version.
    #[error("format version {0} is not supported, only version 1")]
    FormatVersion(u32),
    /// A record is malformed or not in its canonical spelling.
    #[error("record {record} is not in canonical form: {problem}")]
    Record {
        /// 1-based index of the record.
        record: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The file has no signed head.
    #[error("the file ends after {records} records without a signed head: its tail is missing")]
    NoHead {
        /// Number of records in the file.
        records: usize,
    },
    /// The file exceeds a limit.
    #[error("the file exceeds {limit}")]
    TooLarge {
        /// The limit, with its unit.
        limit: &'static str,
    },
}

impl LogFile {
    /// Reads either form. Rejects every spelling but the canonical one.
    pub fn read(bytes: &[u8]) -> Result<(Self, FileForm), FileError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(FileError::TooLarge { limit: "256 MiB" });
        }
        let (records, form) = match bytes.first() {
            Some(b'{') => (json::read(bytes)?, FileForm::Json),
            Some(&first) if first == binary::MAGIC[0] => (binary::read(bytes)?, FileForm::Binary),
            _ => return Err(FileError::UnknownForm),
        };
        Ok((records::assemble(records)?, form))
    }

    /// Formats the file.
    pub fn write(&self, form: FileForm) -> Vec<u8> {
        let mut writer = FileWriter::new(form);
        let mut bytes = Vec::new();
        for record in records::of(self) {
            bytes.extend(writer.record(&record));
        }
        bytes
    }
}

/// Writes a file one record at a time, as the service streams them.
pub struct FileWriter {
    form: FileForm,
    started: bool,
}

impl FileWriter {
    /// Creates a writer for a file of this form.
    pub fn new(form: FileForm) -> Self {
        Self { form, started: false }
    }

    /// Formats the next record.
    pub fn record(&mut self, record: &proto::ExportLogResponse) -> Vec<u8> {
        let started = std::mem::replace(&mut self.started, true);
        match self.form {
            FileForm::Json => json::line(record),
            FileForm::Binary if started => binary::delimited(record),
            FileForm::Binary => [binary::MAGIC.as_slice(), &binary::delimited(record)].concat(),
        }
    }
}
