//! The signed note at the end of a segment. It names the segment, its wrapped key and the hash of all bytes
//! before the note.

use audit::{KeyName, PublicKey, SignedNote, Signer, hash_from_hex};
use uuid::Uuid;

use crate::{SegmentError, SegmentId};

/// The first line of every note on a segment. It keeps a note made for another purpose from passing as one.
const PURPOSE: &str = "matchbook archive segment v1";

/// The contents of a segment's note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SegmentNote {
    pub(crate) service: KeyName,
    pub(crate) segment: SegmentId,
    /// Number of matches.
    pub(crate) matches: u64,
    /// Number of their events.
    pub(crate) events: u64,
    /// The segment's key, wrapped.
    pub(crate) key: Vec<u8>,
    /// First byte of the index, from the segment's start.
    pub(crate) index: u64,
    /// SHA-256 of the sealed index.
    pub(crate) index_hash: [u8; 32],
    /// SHA-256 of all bytes before the note.
    pub(crate) hash: [u8; 32],
}

impl SegmentNote {
    /// Signs the note.
    pub(crate) fn sign(&self, signer: &Signer) -> String {
        SignedNote::sign(self.text(), signer).to_string()
    }

    /// Reads a note that one of these keys must have signed.
    pub(crate) fn read(bytes: &[u8], keys: &[PublicKey]) -> Result<Self, SegmentError> {
        let text = str::from_utf8(bytes).map_err(|_| SegmentError::BadNote)?;
        let note: SignedNote = text.parse().map_err(|_| SegmentError::BadNote)?;
        let read = Self::parse(note.text()).ok_or(SegmentError::BadNote)?;
        // Each content has exactly one spelling.
        if read.text() != note.text() || note.to_string() != text || note.signatures().len() != 1 {
            return Err(SegmentError::BadNote);
        }
        let signed = keys.iter().any(|key| *key.name() == read.service && note.is_signed_by(key));
        if signed { Ok(read) } else { Err(SegmentError::NotSigned) }
    }

    fn text(&self) -> String {
        let Self { service, segment, matches, events, key, index, index_hash, hash } = self;
        let [key, index_hash, hash] = [key.as_slice(), index_hash, hash].map(hex);
        format!(
            "{PURPOSE}\nservice {service}\nsegment {segment}\nmatches {matches}\nevents {events}\n\
             key {key}\nindex {index} {index_hash}\nsha256 {hash}\n"
        )
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != PURPOSE {
            return None;
        }
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let service = field("service")?.parse().ok()?;
        let segment = SegmentId(Uuid::try_parse(field("segment")?).ok()?);
        let (matches, events) = (field("matches")?.parse().ok()?, field("events")?.parse().ok()?);
        let key = bytes_from_hex(field("key")?)?;
        let (index, index_hash) = field("index")?.split_once(' ')?;
        let (index, index_hash) = (index.parse().ok()?, hash_from_hex(index_hash)?);
        let hash = hash_from_hex(field("sha256")?)?;
        Some(Self { service, segment, matches, events, key, index, index_hash, hash })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect()
}
