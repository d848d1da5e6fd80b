//! Reading single matches from an archive, with a bounded cache. Decoding keeps no worker of the runtime from
//! other calls, and few blocks are decoded at once: one holds as much memory as its largest match.

use std::fmt;
use std::hash::Hash;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use async_trait::async_trait;
use audit::PublicKey;
use event::MatchId;
use journal::{ArchivedLogs, ArchivedPlace, ReadError, StoredEvent};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

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
    /// Segments and blocks that may be read and decoded at once.
    decoding: Arc<Semaphore>,
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
        let threads = available_parallelism().map_or(1, NonZero::get).div_ceil(2);
        Self {
            archive,
            trust: Arc::new(trust),
            segments: Arc::new(cache_of(half)),
            blocks: Arc::new(cache_of(half)),
            decoding: Arc::new(Semaphore::new(threads)),
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
        let _permit = self.decoding.acquire().await.expect("it is never closed");
        let size = self.archive.size(id).await?;
        if size == 0 {
            return Err(wrong(SegmentError::NotASegment));
        }
        let end = self.archive.range(id, size.saturating_sub(NOTE_WINDOW)..size).await?;
        let end = note_of_end(&end, size, &self.trust.public_keys).map_err(wrong)?;
        let index = self.archive.range(id, end.index.clone()).await?;
        end.open(&index, id, &self.trust.archive_keys, size).map(Arc::new).map_err(wrong)
    }

    async fn block(
        &self,
        id: SegmentId,
        segment: &Arc<OpenSegment>,
        number: u32,
    ) -> Result<Block, ArchiveError> {
        let read = async {
            let permit = self.decoding.clone().acquire_owned().await.expect("it is never closed");
            let sealed = self.archive.range(id, segment.block_range(number)).await?;
            let segment = Arc::clone(segment);
            let decode = move || {
                // Until it is decoded, also if the caller has left.
                let _permit = permit;
                segment.read_block(number, &sealed)
            };
            let matches = spawn_blocking(decode).await.expect("decoding does not panic");
            matches.map(Arc::from).map_err(|error| ArchiveError::Segment { segment: id, error })
        };
        self.blocks.get_or_insert_async(&(id, number), read).await
    }
}

#[async_trait]
impl ArchivedLogs for ArchiveReader {
    async fn log(&self, id: MatchId, place: ArchivedPlace) -> Result<Arc<[StoredEvent]>, ReadError> {
        let read = self.read(SegmentId(place.segment), id).await;
        let failed = |error: ArchiveError| ReadError::Archive { what: error.to_string() };
        Ok(read.map_err(failed)?.into_events())
    }
}

impl fmt::Debug for ArchiveReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArchiveReader({})", self.archive.url())
    }
}

/// Returns a cache in one shard: a shard keeps nothing that exceeds it, and the longest match must be kept,
/// or each of its pages decodes all of it.
fn cache_of<K: Eq + Hash + Clone, V: Clone>(bytes: u64) -> Cache<K, V, Weight>
where
    Weight: Weighter<K, V>,
{
    const ITEMS: usize = 1024;
    let options = OptionsBuilder::new()
        .weight_capacity(bytes)
        .estimated_items_capacity(ITEMS)
        .shards(1)
        .build()
        .expect("both capacities are given");
    Cache::with_options(options, Weight, DefaultHashBuilder::default(), DefaultLifecycle::default())
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use bytes::Bytes;
    use event::{Event, RecordTime, Seq};
    use futures_util::FutureExt;
    use journal::Hlc;
    use uuid::Uuid;

    use super::*;
    use crate::{ArchiveUrl, SegmentWriter};

    fn short_match() -> ArchivedMatch {
        let match_id = MatchId(Uuid::from_u128(1));
        let (seq, record_time) = (Seq::FIRST, RecordTime(1_790_000_000_000_000));
        let public = Bytes::from_static(b"move");
        let mut event = Event { seq, record_time, kind: 6, public, sealed: None, hash: [0; 32] };
        event.hash = event.link(match_id, None).hash();
        let hlc = Hlc(record_time.0);
        ArchivedMatch::new(match_id, vec![StoredEvent { event, request_hash: None, hlc }]).unwrap()
    }

    #[tokio::test]
    async fn few_blocks_are_decoded_at_once_and_what_is_cached_waits_for_none() {
        let folder = tempfile::tempdir().unwrap();
        let url = ArchiveUrl::from_str(&format!("file://{}", folder.path().display())).unwrap();
        let archive = Archive::open(url).unwrap();
        let (key, id, archived) = (ArchiveKey::new([1; 32]), SegmentId::generate(), short_match());
        let signer = audit::Signer::new("play.example".parse().unwrap(), &[2; 32]);
        let mut writer = SegmentWriter::new(id, &key);
        writer.push(&archived);
        archive.put(id, writer.finish(&signer).unwrap().bytes).await.unwrap();
        let trust = ArchiveTrust { public_keys: vec![signer.public_key()], archive_keys: vec![key] };
        let reader = ArchiveReader::new(archive, trust, CacheBytes(1 << 20));
        let taken: Vec<_> = std::iter::from_fn(|| reader.decoding.clone().try_acquire_owned().ok()).collect();
        assert!(!taken.is_empty());
        let mut waiting = Box::pin(reader.read(id, archived.match_id()));
        assert!((&mut waiting).now_or_never().is_none(), "it did not wait");
        drop(taken);
        assert_eq!(waiting.await.unwrap(), archived);
        let _taken: Vec<_> =
            std::iter::from_fn(|| reader.decoding.clone().try_acquire_owned().ok()).collect();
        assert_eq!(reader.read(id, archived.match_id()).await.unwrap(), archived);
    }
}
