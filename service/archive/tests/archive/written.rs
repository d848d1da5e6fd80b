//! Segments written for tests.

use archive::{
    ArchiveKey, ArchiveTrust, ArchivedMatch, OpenSegment, SegmentError, SegmentId, SegmentWriter,
    WrittenSegment,
};
use audit::{PublicKey, Signer};

/// Returns a signer under the service's name. 1 is the service's secret, any other is a forger's.
pub(crate) fn signer(secret: u8) -> Signer {
    Signer::new("play.example".parse().unwrap(), &[secret; 32])
}

pub(crate) fn public_keys() -> Vec<PublicKey> {
    vec![signer(1).public_key()]
}

pub(crate) fn archive_key() -> ArchiveKey {
    ArchiveKey::new([5; 32])
}

pub(crate) fn trust() -> ArchiveTrust {
    ArchiveTrust { public_keys: public_keys(), archive_keys: vec![archive_key()] }
}

pub(crate) fn write(matches: &[ArchivedMatch]) -> WrittenSegment {
    let mut writer = SegmentWriter::new(SegmentId::generate(), &archive_key());
    for archived in matches {
        writer.push(archived);
    }
    writer.finish(&signer(1)).unwrap()
}

/// Checks all bytes of a segment with the service's keys and returns its matches.
pub(crate) fn verify(id: SegmentId, bytes: &[u8]) -> Result<Vec<ArchivedMatch>, SegmentError> {
    OpenSegment::verify(bytes, id, &[archive_key()], &public_keys()).map(|(_, matches)| matches)
}
