//! What an exported log shows: every event as it is stored, and of the sealed parts those that the viewer may be told.

use event::{Event, EventKind};
use rules::Viewer;
use wire::v1 as proto;
use wire::v1::export_log_response::Record as Line;

use super::log_event_to_wire;
use crate::{Entry, FORMAT_VERSION, Head, KeyName, Phase, Position, Signer};

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
    pub fn record_shown(&self, event: &Event, viewer: Viewer) -> proto::ExportLogResponse {
        let opened = event.sealed.as_ref().filter(|_| self.tells(event, viewer));
        line(Line::Event(log_event_to_wire(event, opened)))
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
    fn tells(&self, event: &Event, viewer: Viewer) -> bool {
        match EventKind::from_number(event.kind) {
            Some(EventKind::SeatClaimed) => true,
            Some(EventKind::MoveSealed) => {
                let waits = event.seq > self.settled_seq && matches!(self.phase, Phase::Running(_));
                let choice = Entry::decode(event.kind, event.public.clone()).ok();
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
