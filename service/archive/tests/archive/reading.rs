//! Reading single matches from a store.

use archive::{
    Archive, ArchiveError, ArchiveReader, ArchiveUrl, BadArchiveUrl, CacheBytes, SegmentError, SegmentId,
};
use event::MatchId;
use uuid::Uuid;

use crate::damaged::url;
use crate::logs::{Content, Sealing, large_log, log};
use crate::written::{trust, verify, write};

#[tokio::test]
async fn what_was_stored_is_there_until_it_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(url(folder.path())).unwrap();
    let (archived, other) = (log(1, &[Content::of(b"a")]), log(2, &[Content::of(b"b")]));
    let written = write(std::slice::from_ref(&archived));
    archive.put(written.id, written.bytes.clone()).await.unwrap();
    let stored = archive.get(written.id).await.unwrap();
    assert_eq!(verify(written.id, &stored).unwrap(), std::slice::from_ref(&archived));
    let reader = ArchiveReader::new(archive.clone(), trust(), CacheBytes(1 << 20));
    assert_eq!(reader.read(written.id, archived.match_id()).await.unwrap(), archived);
    let absent = reader.read(written.id, other.match_id()).await;
    let error = SegmentError::NoSuchMatch(other.match_id());
    assert_eq!(absent, Err(ArchiveError::Segment { segment: written.id, error }));
    archive.delete(written.id).await.unwrap();
    archive.delete(written.id).await.unwrap();
    assert!(matches!(archive.get(written.id).await, Err(ArchiveError::Missing { .. })));
    // What is cached needs no store.
    assert_eq!(reader.read(written.id, archived.match_id()).await.unwrap(), archived);
    let fresh = ArchiveReader::new(archive, trust(), CacheBytes(1 << 20));
    let missing = fresh.read(written.id, archived.match_id()).await;
    assert!(matches!(missing, Err(ArchiveError::Missing { segment, .. }) if segment == written.id));
}

#[tokio::test]
async fn the_cache_stays_within_its_bytes() {
    const MAX: u64 = 4 << 20;
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(url(folder.path())).unwrap();
    let matches: Vec<_> = (1..=12).map(|id| large_log(id, 600 << 10)).collect();
    let written = write(&matches);
    archive.put(written.id, written.bytes.clone()).await.unwrap();
    let reader = ArchiveReader::new(archive, trust(), CacheBytes(MAX));
    for archived in matches.iter().chain(&matches) {
        assert_eq!(reader.read(written.id, archived.match_id()).await.unwrap(), *archived);
        assert!((1..=MAX).contains(&reader.cached_bytes()), "{} bytes", reader.cached_bytes());
    }
}

/// The journal asks for a log again for each page of it, so a log that is too large to be kept would be
/// decoded for each of its pages.
#[tokio::test]
async fn the_largest_log_is_decoded_once_and_not_copied_for_each_reader() {
    const MAX: u64 = 64 << 20;
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(url(folder.path())).unwrap();
    let archived = large_log(1, 28 << 20);
    let written = write(std::slice::from_ref(&archived));
    archive.put(written.id, written.bytes.clone()).await.unwrap();
    let reader = ArchiveReader::new(archive.clone(), trust(), CacheBytes(MAX));
    let first = reader.read(written.id, archived.match_id()).await.unwrap();
    archive.delete(written.id).await.unwrap();
    let again = reader.read(written.id, archived.match_id()).await.unwrap();
    assert!(std::ptr::eq(first.events(), again.events()), "the log was copied");
    assert_eq!(first, archived);
}

#[tokio::test]
async fn sealed_parts_count_for_the_bytes_of_the_cache() {
    const SECRET: usize = 40 << 10;
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(url(folder.path())).unwrap();
    let content = Content { sealed: Sealing::Open(vec![7; SECRET]), ..Content::of(b"a") };
    let archived = log(1, &vec![content; 20]);
    let written = write(std::slice::from_ref(&archived));
    archive.put(written.id, written.bytes.clone()).await.unwrap();
    let reader = ArchiveReader::new(archive, trust(), CacheBytes(64 << 20));
    reader.read(written.id, archived.match_id()).await.unwrap();
    assert!(reader.cached_bytes() >= 20 * SECRET as u64, "{} bytes", reader.cached_bytes());
}

#[tokio::test]
async fn files_that_are_no_segments_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(url(folder.path())).unwrap();
    let reader = ArchiveReader::new(archive.clone(), trust(), CacheBytes(1 << 20));
    for bytes in [b"".as_slice(), b"x", &[7; 10_000]] {
        let id = SegmentId::generate();
        archive.put(id, bytes.to_vec().into()).await.unwrap();
        let read = reader.read(id, MatchId(Uuid::from_u128(1))).await;
        let error = SegmentError::NotASegment;
        assert_eq!(read, Err(ArchiveError::Segment { segment: id, error }), "{} bytes", bytes.len());
    }
}

#[test]
fn an_archive_that_is_no_folder_of_this_machine_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = url(&folder.path().join("missing"));
    assert!(matches!(Archive::open(missing), Err(ArchiveError::Store { .. })));
    let parse = |text: &str| text.parse::<ArchiveUrl>().unwrap_err();
    assert_eq!(parse("/var/lib"), BadArchiveUrl::Form);
    assert_eq!(parse("file://host/var/lib"), BadArchiveUrl::Form);
    assert_eq!(parse("ftp://host/path"), BadArchiveUrl::Scheme("ftp".to_owned()));
}
