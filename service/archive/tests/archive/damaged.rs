//! Segments that were changed, cut or made by others are refused, with a reason.

use archive::{
    Archive, ArchiveError, ArchiveKey, ArchiveReader, CacheBytes, OpenSegment, SegmentError, SegmentId,
};

use crate::logs::{Content, Sealing, large_log, log};
use crate::written::{archive_key, public_keys, signer, trust, verify, write};

fn small() -> Vec<archive::ArchivedMatch> {
    let secret = Content { sealed: Sealing::Open(b"queen".to_vec()), ..Content::of(b"sealed") };
    vec![log(1, &[Content::of(b"first"), secret]), log(2, &[Content::of(b"other")])]
}

#[test]
fn every_flipped_byte_is_noticed() {
    let written = write(&small());
    for at in 0..written.bytes.len() {
        for flip in [1, 0x20, 0xff] {
            let mut changed = written.bytes.to_vec();
            changed[at] ^= flip;
            assert!(verify(written.id, &changed).is_err(), "byte {at} flipped by {flip}");
        }
    }
}

/// A reader looks at a part of the bytes: what it returns is right nevertheless.
#[tokio::test]
async fn a_reader_of_a_changed_segment_returns_the_match_or_an_error() {
    let (matches, folder) = (small(), tempfile::tempdir().unwrap());
    let archive = Archive::open(url(folder.path())).unwrap();
    let written = write(&matches);
    let mut refused = 0;
    for at in 0..written.bytes.len() {
        let mut changed = written.bytes.to_vec();
        changed[at] ^= 1;
        archive.put(written.id, changed.into()).await.unwrap();
        let reader = ArchiveReader::new(archive.clone(), trust(), CacheBytes(1 << 20));
        for archived in &matches {
            match reader.read(written.id, archived.match_id()).await {
                Ok(read) => assert_eq!(read, *archived, "byte {at}"),
                Err(ArchiveError::Segment { segment, .. }) if segment == written.id => refused += 1,
                Err(other) => panic!("byte {at}: {other}"),
            }
        }
    }
    // All but the first bytes, which say what the file is.
    assert_eq!(refused, 2 * (written.bytes.len() - 8));
}

#[test]
fn every_truncated_or_extended_segment_is_refused() {
    let written = write(&small());
    for length in 0..written.bytes.len() {
        assert!(verify(written.id, &written.bytes[..length]).is_err(), "the first {length} bytes");
        assert!(verify(written.id, &written.bytes[length + 1..]).is_err(), "without {} bytes", length + 1);
    }
    let longer = [written.bytes.as_ref(), b"\0"].concat();
    assert_eq!(verify(written.id, &longer), Err(SegmentError::NotASegment));
    assert_eq!(verify(written.id, b""), Err(SegmentError::NotASegment));
}

#[test]
fn a_segment_of_another_signer_key_or_id_is_refused() {
    let written = write(&small());
    let verify_with = |id, archive_key, public_keys: &[audit::PublicKey]| {
        OpenSegment::verify(&written.bytes, id, &[archive_key], public_keys).map(|_| ()).unwrap_err()
    };
    let forger = [signer(2).public_key()];
    assert_eq!(verify_with(written.id, archive_key(), &forger), SegmentError::NotSigned);
    assert_eq!(verify_with(written.id, archive_key(), &[]), SegmentError::NotSigned);
    let other_key = ArchiveKey::new([6; 32]);
    assert_eq!(verify_with(written.id, other_key, &public_keys()), SegmentError::OtherKey);
    let (expected, found) = (SegmentId::generate(), written.id);
    let error = verify_with(expected, archive_key(), &public_keys());
    assert_eq!(error, SegmentError::OtherSegment { expected, found });
}

#[test]
fn segments_are_read_with_any_of_several_keys_as_after_a_rotation() {
    let written = write(&small());
    let archive_keys = [ArchiveKey::new([6; 32]), archive_key()];
    let public_keys = [signer(2).public_key(), signer(1).public_key()];
    assert!(OpenSegment::verify(&written.bytes, written.id, &archive_keys, &public_keys).is_ok());
}

#[tokio::test]
async fn blocks_in_another_order_are_refused() {
    // Each match fills a block, and the blocks have the same length.
    let matches: Vec<_> = [1, 2].map(|id| large_log(id, 600 << 10)).to_vec();
    let written = write(&matches);
    let length = blocks_length(&written.bytes) / 2;
    let mut swapped = written.bytes.to_vec();
    let (first, second) = swapped[8..8 + 2 * length].split_at_mut(length);
    first.swap_with_slice(second);
    assert_eq!(verify(written.id, &swapped), Err(SegmentError::Damaged { part: "block" }));
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(url(folder.path())).unwrap();
    archive.put(written.id, swapped.into()).await.unwrap();
    let reader = ArchiveReader::new(archive, trust(), CacheBytes(1 << 20));
    for archived in &matches {
        let error = SegmentError::Damaged { part: "block" };
        let expected = ArchiveError::Segment { segment: written.id, error };
        assert_eq!(reader.read(written.id, archived.match_id()).await, Err(expected));
    }
}

/// Returns the bytes of all blocks, as the note says.
fn blocks_length(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().find(|line| line.starts_with("index ")).unwrap();
    line.split(' ').nth(1).unwrap().parse::<usize>().unwrap() - 8
}

pub(crate) fn url(folder: &std::path::Path) -> archive::ArchiveUrl {
    format!("file://{}", folder.display()).parse().unwrap()
}
