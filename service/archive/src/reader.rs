//! Reading single matches from an archive, with a bounded cache.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use audit::PublicKey;
use event::MatchId;
use journal::{ArchivedLogs, ArchivedPlace, ReadError, StoredEvent};
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};

use crate::segment::{NOTE_WINDOW, note_of_end};
use crate::{Archive, ArchiveError, ArchiveKey, ArchivedMatch, OpenSegment, SegmentError, SegmentId};

/// The keys by which a reader knows the service's segments.
#[derive(Clone)]
pub struct ArchiveTrust {
    /// Keys of the service, current and retired ones.
    pub public_keys: Vec<PublicKey>,
    /// Keys that unwrap the segments' own keys.
    pub archive_keys: Vec<ArchiveKey>,
}

/// Maximum size of a reader's cache, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheBytes(pub u64);

/// Reads matches from an archive; cheap to clone.
#[derive(Clone)]
pub struct ArchiveReader {
    archive: Archive,
    trust: Arc<ArchiveTrust>,
    segments: Arc<Cache<SegmentId, Arc<OpenSegment>, Weight>>,
    blocks: Arc<Cache<BlockId, Block, Weight>>,
}

/// A segment and the number of its block.
type BlockId = (SegmentId, u32);

/// The matches of a block.
type Block = Arc<[ArchivedMatch]>;

/// Weighs what is cached in bytes.
#[derive(Clone)]
struct Weight;

impl Weighter<SegmentId, Arc<OpenSegment>> for Weight {
    fn weight(&self, _: &SegmentId, segment: &Arc<OpenSegment>) -> u64 {
        segment.weight() as u64
    }
}

impl Weighter<BlockId, Block> for Weight {
    fn weight(&self, _: &BlockId, matches: &Block) -> u64 {
        matches.iter().map(|one| one.weight() as u64).sum::<u64>().max(1)
    }
}

impl ArchiveReader {
    /// Creates a reader. Half of the cache is for indexes, half for matches.
    pub fn new(archive: Archive, trust: ArchiveTrust, cache: CacheBytes) -> Self {
        let half = cache.0 / 2;
        Self {
            archive,
            trust: Arc::new(trust),
            segments: Arc::new(cache_of(half)),
            blocks: Arc::new(cache_of(half)),
        }
    }

    /// Returns the archive.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Reads a match from a segment.
    pub async fn read(&self, segment: SegmentId, match_id: MatchId) -> Result<ArchivedMatch, ArchiveError> {
        let wrong = |error| ArchiveError::Segment { segment, error };
        let opened = self.segment(segment).await?;
        let block = opened.block_of(match_id).map_err(wrong)?;
        let matches = self.block(segment, &opened, block).await?;
        let found = matches.iter().find(|one| one.match_id() == match_id).cloned();
        found.ok_or(wrong(SegmentError::Damaged { part: "index" }))
    }

    /// Returns the bytes that the cache holds now.
    pub fn cached_bytes(&self) -> u64 {
        self.segments.weight() + self.blocks.weight()
    }

    async fn segment(&self, id: SegmentId) -> Result<Arc<OpenSegment>, ArchiveError> {
        self.segments.get_or_insert_async(&id, self.open(id)).await
    }

    async fn open(&self, id: SegmentId) -> Result<Arc<OpenSegment>, ArchiveError> {
        let wrong = |error| ArchiveError::Segment { segment: id, error };
        let size = self.archive.size(id).await?;
        if size == 0 {
            return Err(wrong(SegmentError::NotASegment));
        }
        let end = self.archive.range(id, size.saturating_sub(NOTE_WINDOW)..size).await?;
        let end = note_of_end(&end, size, &self.trust.public_keys).map_err(wrong)?;
        let index = self.archive.range(id, end.index.clone()).await?;
        end.open(&index, id, &self.trust.archive_keys, size).map(Arc::new).map_err(wrong)
    }

    async fn block(&self, id: SegmentId, segment: &OpenSegment, number: u32) -> Result<Block, ArchiveError> {
        let read = async {
            let sealed = self.archive.range(id, segment.block_range(number)).await?;
            let matches = segment.read_block(number, &sealed);
            matches.map(Arc::from).map_err(|error| ArchiveError::Segment { segment: id, error })
        };
        self.blocks.get_or_insert_async(&(id, number), read).await
    }
}

#[async_trait]
impl ArchivedLogs for ArchiveReader {
    async fn log(&self, id: MatchId, place: ArchivedPlace) -> Result<Vec<StoredEvent>, ReadError> {
        let read = self.read(SegmentId(place.segment), id).await;
        let failed = |error: ArchiveError| ReadError::Archive { what: error.to_string() };
        Ok(read.map_err(failed)?.events().to_vec())
    }
}

impl fmt::Debug for ArchiveReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArchiveReader({})", self.archive.url())
    }
}

fn cache_of<K: Eq + std::hash::Hash + Clone, V: Clone>(bytes: u64) -> Cache<K, V, Weight>
where
    Weight: Weighter<K, V>,
{
    const ITEMS: usize = 1024;
    Cache::with(ITEMS, bytes, Weight, Default::default(), DefaultLifecycle::default())
}
