//! Writing a segment.

use audit::Signer;
use bytes::Bytes;
use event::MatchId;
use sha2::{Digest as _, Sha256};

use super::{END, START, SegmentId, SegmentSummary};
use crate::block::BlockWriter;
use crate::cipher::{Chunk, SegmentKey};
use crate::index::{BlockPlace, Index};
use crate::note::SegmentNote;
use crate::{ArchiveKey, ArchivedMatch, SegmentError};

/// Number of matches at which a segment is full.
pub const MAX_SEGMENT_MATCHES: usize = 10_000;

/// Size at which a segment is full, in bytes. One match may be larger.
const MAX_SEGMENT_BYTES: usize = 64 << 20;

/// Collects the matches of a segment in memory.
pub struct SegmentWriter {
    id: SegmentId,
    key: SegmentKey,
    wrapped: Vec<u8>,
    bytes: Vec<u8>,
    block: BlockWriter,
    blocks: Vec<BlockPlace>,
    matches: Vec<(MatchId, u32)>,
    events: u64,
}

/// A segment that was written.
#[derive(Clone)]
pub struct WrittenSegment {
    /// Its id.
    pub id: SegmentId,
    /// Its contents in figures.
    pub summary: SegmentSummary,
    /// All its bytes.
    pub bytes: Bytes,
}

impl SegmentWriter {
    /// Starts a segment.
    pub fn new(id: SegmentId, key: &ArchiveKey) -> Self {
        let (key, wrapped) = key.generate(id);
        Self {
            id,
            key,
            wrapped,
            bytes: START.to_vec(),
            block: BlockWriter::default(),
            blocks: Vec::new(),
            matches: Vec::new(),
            events: 0,
        }
    }

    /// Adds a match.
    pub fn push(&mut self, archived: &ArchivedMatch) {
        let block = u32::try_from(self.blocks.len()).expect("a segment has at most 10 000 blocks");
        self.matches.push((archived.match_id(), block));
        self.events += archived.events().len() as u64;
        self.block.push(archived);
        if self.block.is_full() {
            self.end_block();
        }
    }

    /// Returns whether the segment should be finished.
    pub fn is_full(&self) -> bool {
        self.matches.len() >= MAX_SEGMENT_MATCHES || self.bytes.len() >= MAX_SEGMENT_BYTES
    }

    /// Returns whether the segment has no match yet.
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
    }

    /// Ends the segment and signs it. Fails if a match was added twice.
    pub fn finish(mut self, signer: &Signer) -> Result<WrittenSegment, SegmentError> {
        if !self.block.is_empty() {
            self.end_block();
        }
        self.matches.sort_unstable();
        if let Some(pair) = self.matches.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(SegmentError::DuplicateMatch(pair[0].0));
        }
        let index = self.bytes.len() as u64;
        let matches = self.matches.len() as u64;
        let text = Index { blocks: self.blocks, matches: self.matches }.write();
        let sealed = self.key.seal(Chunk::Index, text);
        let index_hash = Sha256::digest(&sealed).into();
        self.bytes.extend(sealed);
        let hash = Sha256::digest(&self.bytes).into();
        let (service, events) = (signer.public_key().name().clone(), self.events);
        let note = SegmentNote {
            service,
            segment: self.id,
            matches,
            events,
            key: self.wrapped,
            index,
            index_hash,
            hash,
        };
        let note = note.sign(signer);
        self.bytes.extend(note.as_bytes());
        self.bytes.extend(u32::try_from(note.len()).expect("a note is short").to_be_bytes());
        self.bytes.extend(END);
        let summary = SegmentSummary { matches, events, bytes: self.bytes.len() as u64 };
        Ok(WrittenSegment { id: self.id, summary, bytes: self.bytes.into() })
    }

    fn end_block(&mut self) {
        let number = u32::try_from(self.blocks.len()).expect("a segment has at most 10 000 blocks");
        let text = std::mem::take(&mut self.block).finish();
        let sealed = self.key.seal(Chunk::Block(number), text);
        self.blocks.push(BlockPlace { offset: self.bytes.len() as u64, length: sealed.len() as u64 });
        self.bytes.extend(sealed);
    }
}
