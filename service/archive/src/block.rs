//! A block: some matches of a segment, compressed together. Reading a match means to decode its block.

use prost::Message;

use crate::columns::{ColumnWriter, Columns, Hashes, read};
use crate::{ArchivedMatch, SegmentError};

const DAMAGED: SegmentError = SegmentError::Damaged { part: "block" };

/// Weight of the matches at which a block ends. One match may be larger.
const BLOCK_WEIGHT: usize = 512 << 10;

/// Compression level of zstd: higher ones gain less than a hundredth on events.
const LEVEL: i32 = 9;

/// Maximum size of a block's columns: far more than a match can have.
const MAX_COLUMNS: u64 = 1 << 30;

/// Collects the matches of the next block.
#[derive(Default)]
pub(crate) struct BlockWriter {
    writer: ColumnWriter,
    weight: usize,
}

/// The text of a block before encryption.
#[derive(Clone, PartialEq, prost::Message)]
struct Block {
    /// `Columns`, compressed by zstd.
    #[prost(bytes = "vec", tag = "1")]
    columns: Vec<u8>,
    /// Length of the columns before compression, in bytes.
    #[prost(uint64, tag = "2")]
    columns_length: u64,
    #[prost(message, optional, tag = "3")]
    hashes: Option<Hashes>,
}

impl BlockWriter {
    pub(crate) fn push(&mut self, archived: &ArchivedMatch) {
        self.writer.push(archived);
        self.weight += archived.weight();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.weight == 0
    }

    pub(crate) fn is_full(&self) -> bool {
        self.weight >= BLOCK_WEIGHT
    }

    /// Returns the block's text.
    pub(crate) fn finish(self) -> Vec<u8> {
        let columns = self.writer.columns.encode_to_vec();
        let compressed = zstd::bulk::compress(&columns, LEVEL).expect("memory is never too short for zstd");
        let columns_length = columns.len() as u64;
        Block { columns: compressed, columns_length, hashes: Some(self.writer.hashes) }.encode_to_vec()
    }
}

/// Reads the matches of a block from its text.
pub(crate) fn read_block(text: &[u8]) -> Result<Vec<ArchivedMatch>, SegmentError> {
    let block = Block::decode(text).map_err(|_| DAMAGED)?;
    if block.columns_length > MAX_COLUMNS {
        return Err(DAMAGED);
    }
    let length = usize::try_from(block.columns_length).map_err(|_| DAMAGED)?;
    let columns = zstd::bulk::decompress(&block.columns, length).map_err(|_| DAMAGED)?;
    let columns = Columns::decode(columns.as_slice()).map_err(|_| DAMAGED)?;
    read(&columns, &block.hashes.unwrap_or_default())
}
