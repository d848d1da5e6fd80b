//! What an exported log shows: every event as it is stored, and of the sealed parts those that the viewer may be told.

use rules::Viewer;
use wire::v1 as proto;
use wire::v1::export_log_response::Record as Line;

use crate::{Entry, EventKind, FORMAT_VERSION, Head, KeyName, Phase, Position, Record, Sealed, Signer};

impl Position {
    /// The first record of the file that ends with this position.
    pub fn header_shown(&self, service: &KeyName) -> proto::ExportLogResponse {
        let header = proto::LogHeader {
            format_version: FORMAT_VERSION,
            service: service.to_string(),
            match_id: self.match_id.to_string(),
            game: self.game().as_str().to_owned(),
            rules_version: self.created.rules_version,
        };
        line(Line::Header(header))
    }

    /// An event of this position's log as a record of the file that ends with this position.
    pub fn record_shown(&self, record: &Record, viewer: Viewer) -> proto::ExportLogResponse {
        let told = record.sealed.as_ref().filter(|_| self.tells(record, viewer));
        line(Line::Event(proto::LogEvent {
            seq: record.seq,
            recorded_time: record.recorded_time,
            kind: u32::from(record.kind),
            public: record.public.to_vec(),
            commitment: record.sealed.as_ref().map(|sealed| sealed.commitment().to_vec()),
            opened: told.map(|sealed: &Sealed| sealed.as_bytes().to_vec()),
            hash: record.hash.to_vec(),
        }))
    }

    /// The last record of the file.
    pub fn head_signed(&self, signer: &Signer) -> proto::LogHead {
        let key = signer.public_key();
        let head = Head {
            service: key.name().clone(),
            match_id: self.match_id,
            game: self.game().as_str().to_owned(),
            rules_version: self.created.rules_version,
            seq: self.seq,
            hash: self.head_hash,
        };
        proto::LogHead { note: head.sign(signer).to_string(), public_key: key.to_string() }
    }

    /// Names are for whoever may see the match. A choice that waits is for its own seat, and for nobody once the match
    /// ended without its turn (AD-5). What the log itself opens is not told a second time.
    fn tells(&self, record: &Record, viewer: Viewer) -> bool {
        match EventKind::try_from(i32::from(record.kind)) {
            Ok(EventKind::SeatClaimed) => true,
            Ok(EventKind::MoveSealed) => {
                let waits = record.seq > self.settled_seq && matches!(self.phase, Phase::Running(_));
                let choice = Entry::decode(record.kind, record.public.clone()).ok();
                let seat = choice.and_then(|entry| entry.seat());
                waits && seat.is_some_and(|seat| viewer == Viewer::Seat(seat))
            }
            _ => false,
        }
    }
}

fn line(record: Line) -> proto::ExportLogResponse {
    proto::ExportLogResponse { record: Some(record) }
}
