//! The records of an exported log. Which sealed parts a viewer may have is `replay`'s decision.

use event::RedactedEvent;
use replay::{Position, log_event_to_wire};
use wire::v1 as proto;
use wire::v1::export_log_response::Record;

use crate::{KeyName, LogFileHeader, SignedHead, Signer};

/// Returns the first record of the file that ends with this position.
pub fn header_record(position: &Position, service: &KeyName) -> proto::ExportLogResponse {
    let header = LogFileHeader {
        service: service.to_string(),
        match_id: position.match_id(),
        game: position.game().as_str().to_owned(),
        rules_version: position.rules_version(),
    };
    proto::ExportLogResponse { record: Some(Record::Header(header.to_wire())) }
}

/// Returns the record of an event, with its sealed part if that is at hand.
pub fn event_record(event: &RedactedEvent) -> proto::ExportLogResponse {
    proto::ExportLogResponse { record: Some(Record::Event(log_event_to_wire(event))) }
}

/// Signs the head of a log, which is the last record of its file.
pub fn sign_head(position: &Position, signer: &Signer) -> proto::LogHead {
    let key = signer.public_key();
    let head = SignedHead {
        service: key.name().clone(),
        match_id: position.match_id(),
        game: position.game().as_str().to_owned(),
        rules_version: position.rules_version(),
        seq: position.seq(),
        hash: position.head_hash(),
    };
    proto::LogHead { note: head.sign(signer).to_string(), public_key: key.to_string() }
}
