//! Sample log files, exported as the service does.

use audit::{FileForm, FileWriter, KeyName, LogFile, PublicKey, Signer, Trust};
use event::Seat;
use rules::{GameId, Viewer};
use wire::v1::ExportLogResponse;
use wire::v1::export_log_response::Record as Line;

use crate::sample::{Log, choose, random_match};

pub(crate) fn name() -> KeyName {
    "play.example".parse().unwrap()
}

/// Returns a signer under the service's name. 1 is the service's secret, any other is a forger's.
pub(crate) fn signer(secret: u8) -> Signer {
    Signer::new(name(), &[secret; 32])
}

pub(crate) fn public_key() -> PublicKey {
    signer(1).public_key()
}

/// Returns the trust of a reader who knows the service's key.
pub(crate) fn pinned() -> Trust {
    Trust { keys: vec![public_key()], ..Trust::default() }
}

/// Exports a log for a viewer.
pub(crate) fn bytes(log: &Log, viewer: Viewer<Seat>, form: FileForm) -> Vec<u8> {
    let mut writer = FileWriter::new(form);
    let mut bytes = writer.record(&audit::header_record(&log.position, &name()));
    for event in &log.events {
        bytes.extend(writer.record(&audit::event_record(&log.position.redacted_for(viewer, event))));
    }
    let head = Line::Head(audit::sign_head(&log.position, &signer(1)));
    bytes.extend(writer.record(&ExportLogResponse { record: Some(head) }));
    bytes
}

pub(crate) fn export(log: &Log, viewer: Viewer<Seat>) -> LogFile {
    LogFile::read(&bytes(log, viewer, FileForm::Json)).unwrap().0
}

/// Plays a match of each game to its end.
pub(crate) fn finished() -> Vec<Log> {
    GameId::ALL.into_iter().map(|game| random_match(game, 3)).collect()
}

/// Plays Angels and Demons up to a turn in which only the Angels have chosen.
pub(crate) fn half_a_turn() -> Log {
    let mut log = Log::started(4, 4, 3);
    log.submit(Seat::ALL[1], &choose(4, 2));
    log.submit(Seat::ALL[0], &choose(2, 2));
    log.submit(Seat::ALL[0], &choose(3, 3));
    log
}
