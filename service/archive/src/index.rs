//! The index of a segment: where its blocks are, and which block has which match.

use event::MatchId;
use prost::Message;

use crate::SegmentError;

const DAMAGED: SegmentError = SegmentError::Damaged { part: "index" };

/// The index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Index {
    /// Each block's place, in order and without gaps.
    pub(crate) blocks: Vec<BlockPlace>,
    /// Matches with the number of their block, by id.
    pub(crate) matches: Vec<(MatchId, u32)>,
}

/// Where a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockPlace {
    /// First byte, from the segment's start.
    pub(crate) offset: u64,
    /// Length of the sealed block, in bytes.
    pub(crate) length: u64,
}

/// The index before compression and encryption.
#[derive(Clone, PartialEq, prost::Message)]
struct IndexText {
    /// Length of each block.
    #[prost(uint64, repeated, tag = "1")]
    lengths: Vec<u64>,
    /// 16 bytes a match, in ascending order.
    #[prost(bytes = "vec", tag = "2")]
    match_ids: Vec<u8>,
    /// The block of each match.
    #[prost(uint32, repeated, tag = "3")]
    blocks: Vec<u32>,
}

impl Index {
    /// Returns the number of the block with this match.
    pub(crate) fn block_of(&self, match_id: MatchId) -> Option<u32> {
        let found = self.matches.binary_search_by_key(&match_id, |&(id, _)| id).ok()?;
        Some(self.matches[found].1)
    }

    /// Returns the index's text. The matches must be sorted.
    pub(crate) fn write(&self) -> Vec<u8> {
        let text = IndexText {
            lengths: self.blocks.iter().map(|block| block.length).collect(),
            match_ids: self.matches.iter().flat_map(|(id, _)| *id.0.as_bytes()).collect(),
            blocks: self.matches.iter().map(|&(_, block)| block).collect(),
        };
        text.encode_to_vec()
    }

    /// Reads the text of an index whose first block starts at `start`; the last must end at `end`.
    pub(crate) fn read(text: &[u8], start: u64, end: u64) -> Result<Self, SegmentError> {
        let text = IndexText::decode(text).map_err(|_| DAMAGED)?;
        let mut offset = start;
        let mut blocks = Vec::with_capacity(text.lengths.len());
        for length in text.lengths {
            blocks.push(BlockPlace { offset, length });
            offset = offset.checked_add(length).ok_or(DAMAGED)?;
        }
        let ids = text.match_ids.chunks(16).map(|bytes| MatchId::from_bytes(bytes).ok_or(DAMAGED));
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        let known = text.blocks.iter().all(|&block| (block as usize) < blocks.len());
        if offset != end || ids.len() != text.blocks.len() || !known || !ids.is_sorted_by(|a, b| a < b) {
            return Err(DAMAGED);
        }
        Ok(Self { blocks, matches: ids.into_iter().zip(text.blocks).collect() })
    }
}
