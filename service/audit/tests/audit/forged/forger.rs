//! An operator who has the service's key: changes a log, hashes and signs it anew.

use audit::{FileEvent, FilePart, LogFile, SignedHead};
use event::{Event, Part as _, RecordTime, Sealed, SealedPart, Seq};
use replay::{Entry, decode_entry};
use rules::Viewer;

use crate::exported::{export, name, signer};
use crate::sample::Log;

/// A log file that is being forged.
#[derive(Clone)]
pub(crate) struct Forger(LogFile);

impl Forger {
    /// Starts with the export of a log for spectators.
    pub(crate) fn of(log: &Log) -> Self {
        Self(export(log, Viewer::Spectator))
    }

    /// Changes the entry at an index.
    pub(crate) fn change(mut self, index: usize, change: impl FnOnce(&mut Entry)) -> Self {
        let event = &mut self.0.events[index];
        let mut entry = decode_entry(event.kind, event.public.clone()).unwrap();
        change(&mut entry);
        event.kind = entry.kind().number();
        event.public = entry.public_bytes();
        self
    }

    /// Changes the bytes of the public part at an index.
    pub(crate) fn change_bytes(mut self, index: usize, change: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut bytes = self.0.events[index].public.to_vec();
        change(&mut bytes);
        self.0.events[index].public = bytes.into();
        self
    }

    /// Changes the event at an index.
    pub(crate) fn change_event(mut self, index: usize, change: impl FnOnce(&mut FileEvent)) -> Self {
        change(&mut self.0.events[index]);
        self
    }

    /// Inserts an entry without a sealed part before an index.
    pub(crate) fn insert(mut self, index: usize, entry: &Entry) -> Self {
        let mut event = self.0.events[index - 1].clone();
        event.sealed = None;
        event.kind = entry.kind().number();
        event.public = entry.public_bytes();
        for later in &mut self.0.events[index..] {
            later.record_time = later.record_time.next();
        }
        event.record_time = event.record_time.next();
        self.0.events.insert(index, event);
        self
    }

    /// Appends an entry without a sealed part.
    pub(crate) fn append(self, entry: &Entry) -> Self {
        let end = self.0.events.len();
        self.insert(end, entry)
    }

    /// Drops the events from an index on.
    pub(crate) fn cut(mut self, index: usize) -> Self {
        self.0.events.truncate(index);
        self
    }

    /// Records the event at an index, and all later ones, at this time or right after it.
    pub(crate) fn record_at(mut self, index: usize, micros: i64) -> Self {
        for (event, time) in self.0.events[index..].iter_mut().zip(micros..) {
            event.record_time = RecordTime(time);
        }
        self
    }

    /// Seals other bytes in the event at an index, and opens them.
    pub(crate) fn seal(mut self, index: usize, secret: &[u8]) -> Self {
        let sealed = Sealed::new([9; 32], secret);
        let opened = Some(sealed.as_bytes().clone());
        self.0.events[index].sealed = Some(FilePart { commitment: sealed.commitment(), opened });
        self
    }

    /// Adds the openings of a log's event to the file.
    pub(crate) fn open(mut self, event: &Event) -> Self {
        let index = usize::try_from(event.seq.0).unwrap() - 1;
        self.0.events[index].sealed.as_mut().unwrap().opened =
            event.sealed.as_ref().map(|sealed| sealed.as_bytes().clone());
        self
    }

    /// Changes what the header names.
    pub(crate) fn pinned_to(mut self, game: &str, rules_version: u32) -> Self {
        game.clone_into(&mut self.0.header.game);
        self.0.header.rules_version = rules_version;
        self
    }

    /// Numbers, hashes and signs the log anew.
    pub(crate) fn sign(self) -> LogFile {
        let mut file = self.0;
        let mut previous = None;
        for (event, seq) in file.events.iter_mut().zip(1..) {
            event.seq = Seq(seq);
            let closed = event.map_sealed(|part| SealedPart::Closed(part.commitment));
            event.hash = closed.link(file.header.match_id, previous).hash();
            previous = Some(event.hash);
        }
        let last = file.events.last().unwrap();
        let head = SignedHead {
            service: name(),
            match_id: file.header.match_id,
            game: file.header.game.clone(),
            rules_version: file.header.rules_version,
            seq: last.seq,
            hash: last.hash,
        };
        file.note = head.sign(&signer(1)).to_string();
        file
    }
}
