//! Reading a segment. Opening it checks the note's signature and the index; a block is authenticated when it
//! is read, by the segment's key; `verify` checks every byte.

use std::ops::Range;

use audit::PublicKey;
use event::MatchId;
use sha2::{Digest as _, Sha256};

use super::{END, START, SegmentId, SegmentSummary};
use crate::block::read_block;
use crate::cipher::{Chunk, SegmentKey};
use crate::index::Index;
use crate::note::SegmentNote;
use crate::{ArchiveKey, ArchivedMatch, SegmentError};

/// Bytes at the end of a segment that always hold its whole note.
pub(crate) const NOTE_WINDOW: u64 = 4 << 10;

/// Length of what follows the note.
const TAIL: usize = 4 + END.len();

/// The opened index of a segment, by which its matches can be read.
pub struct OpenSegment {
    note: SegmentNote,
    index: Index,
    key: SegmentKey,
    bytes: u64,
}

/// The note in the last bytes of a segment, and where the index is.
pub(crate) struct NoteOfEnd {
    pub(crate) note: SegmentNote,
    pub(crate) index: Range<u64>,
}

/// Reads the note of a segment of `size` bytes from its last bytes.
pub(crate) fn note_of_end(end: &[u8], size: u64, keys: &[PublicKey]) -> Result<NoteOfEnd, SegmentError> {
    let before_end = end.strip_suffix(&END).ok_or(SegmentError::NotASegment)?;
    let (before, length) = before_end.split_last_chunk::<4>().ok_or(SegmentError::NotASegment)?;
    let length = u32::from_be_bytes(*length) as usize;
    let start = before.len().checked_sub(length).ok_or(SegmentError::NotASegment)?;
    let note = SegmentNote::read(&before[start..], keys)?;
    let index_end = size.checked_sub((length + TAIL) as u64).ok_or(SegmentError::NotASegment)?;
    if note.index < START.len() as u64 || note.index > index_end {
        return Err(SegmentError::Damaged { part: "index" });
    }
    let index = note.index..index_end;
    Ok(NoteOfEnd { note, index })
}

impl NoteOfEnd {
    /// Opens the segment with its sealed index.
    pub(crate) fn open(
        self,
        index: &[u8],
        expected: SegmentId,
        keys: &[ArchiveKey],
        bytes: u64,
    ) -> Result<OpenSegment, SegmentError> {
        let note = self.note;
        if note.segment != expected {
            return Err(SegmentError::OtherSegment { expected, found: note.segment });
        }
        if <[u8; 32]>::from(Sha256::digest(index)) != note.index_hash {
            return Err(SegmentError::Damaged { part: "index" });
        }
        let unwrapped = keys.iter().map(|key| key.unwrap_key(expected, &note.key));
        let key = unwrapped.reduce(Result::or).unwrap_or(Err(SegmentError::OtherKey))?;
        let text = key.open(Chunk::Index, index.to_vec())?;
        let index = Index::read(&text, START.len() as u64, note.index)?;
        if index.matches.len() as u64 != note.matches {
            return Err(SegmentError::Damaged { part: "index" });
        }
        Ok(OpenSegment { note, index, key, bytes })
    }
}

impl OpenSegment {
    /// Opens a segment whose bytes are all at hand, and checks every one of them. Returns it with its
    /// matches, in the order in which they were added.
    pub fn verify(
        bytes: &[u8],
        expected: SegmentId,
        archive_keys: &[ArchiveKey],
        public_keys: &[PublicKey],
    ) -> Result<(Self, Vec<ArchivedMatch>), SegmentError> {
        if !bytes.starts_with(&START) {
            return Err(SegmentError::NotASegment);
        }
        let size = bytes.len() as u64;
        let end = note_of_end(bytes, size, public_keys)?;
        let [from, to] = [end.index.start, end.index.end].map(offset);
        let hash = end.note.hash;
        let segment = end.open(&bytes[from..to], expected, archive_keys, size)?;
        if <[u8; 32]>::from(Sha256::digest(&bytes[..to])) != hash {
            return Err(SegmentError::Damaged { part: "block" });
        }
        let mut matches = Vec::new();
        for number in 0..segment.index.blocks.len() {
            let number = u32::try_from(number).map_err(|_| SegmentError::Damaged { part: "index" })?;
            let place = segment.block_range(number);
            let found = segment.read_block(number, &bytes[offset(place.start)..offset(place.end)])?;
            let listed = found.iter().all(|one| segment.block_of(one.match_id()) == Ok(number));
            if !listed {
                return Err(SegmentError::Damaged { part: "index" });
            }
            matches.extend(found);
        }
        let events: u64 = matches.iter().map(|one| one.events().len() as u64).sum();
        if matches.len() != segment.index.matches.len() || events != segment.note.events {
            return Err(SegmentError::Damaged { part: "index" });
        }
        Ok((segment, matches))
    }

    /// Returns the segment's contents in figures.
    pub fn summary(&self) -> SegmentSummary {
        SegmentSummary { matches: self.note.matches, events: self.note.events, bytes: self.bytes }
    }

    /// Returns the ids of its matches in ascending order.
    pub fn match_ids(&self) -> impl Iterator<Item = MatchId> {
        self.index.matches.iter().map(|&(id, _)| id)
    }

    /// Returns roughly the bytes that the index takes in memory.
    pub(crate) fn weight(&self) -> usize {
        self.index.matches.len() * 20 + self.index.blocks.len() * 16 + 1024
    }

    /// Returns the number of the block with a match.
    pub(crate) fn block_of(&self, match_id: MatchId) -> Result<u32, SegmentError> {
        self.index.block_of(match_id).ok_or(SegmentError::NoSuchMatch(match_id))
    }

    /// Returns where a block of the index is.
    pub(crate) fn block_range(&self, number: u32) -> Range<u64> {
        let place = self.index.blocks[number as usize];
        place.offset..place.offset + place.length
    }

    /// Decodes a block.
    pub(crate) fn read_block(&self, number: u32, sealed: &[u8]) -> Result<Vec<ArchivedMatch>, SegmentError> {
        read_block(&self.key.open(Chunk::Block(number), sealed.to_vec())?)
    }
}

/// Converts an offset that is known to lie within bytes in memory.
fn offset(offset: u64) -> usize {
    usize::try_from(offset).expect("the offset lies within a slice")
}
