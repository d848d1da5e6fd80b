//! Encryption. Each segment has a random key of its own, which is stored in the segment, wrapped with a key
//! that derives from the service key. ChaCha20-Poly1305 of the crate `ring` does both.

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};

use crate::{SegmentError, SegmentId};

/// Bytes by which sealing makes a text longer.
pub(crate) const TAG_BYTES: usize = 16;

/// Length of a wrapped key: a random nonce, the key and the tag.
const WRAPPED_BYTES: usize = 12 + 32 + TAG_BYTES;

/// The key that wraps the keys of segments. It derives from the service key.
#[derive(Clone)]
pub struct ArchiveKey([u8; 32]);

/// The key of one segment. It seals each chunk once, so a chunk's number is its nonce.
pub(crate) struct SegmentKey {
    key: LessSafeKey,
    segment: SegmentId,
}

/// A part of a segment that is sealed as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Chunk {
    /// The block of this number.
    Block(u32),
    Index,
}

impl ArchiveKey {
    /// Creates the key from its 32 secret bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Makes the key of a new segment. Returns it with its wrapped form.
    pub(crate) fn generate(&self, segment: SegmentId) -> (SegmentKey, Vec<u8>) {
        let (key, nonce) = (random::<32>(), random::<12>());
        let mut wrapped = key.to_vec();
        cipher(&self.0)
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), wrapping(segment), &mut wrapped)
            .expect("a key is short enough to be sealed");
        (SegmentKey { key: cipher(&key), segment }, [nonce.as_slice(), &wrapped].concat())
    }

    /// Unwraps the key of a segment.
    pub(crate) fn unwrap_key(&self, segment: SegmentId, wrapped: &[u8]) -> Result<SegmentKey, SegmentError> {
        if wrapped.len() != WRAPPED_BYTES {
            return Err(SegmentError::BadNote);
        }
        let (nonce, sealed) = wrapped.split_first_chunk().ok_or(SegmentError::BadNote)?;
        let mut sealed = sealed.to_vec();
        let opened = cipher(&self.0)
            .open_in_place(Nonce::assume_unique_for_key(*nonce), wrapping(segment), &mut sealed)
            .map_err(|_| SegmentError::OtherKey)?;
        let key = <[u8; 32]>::try_from(&*opened).map_err(|_| SegmentError::OtherKey)?;
        Ok(SegmentKey { key: cipher(&key), segment })
    }
}

impl SegmentKey {
    /// Encrypts a chunk. Each chunk may be sealed only once.
    pub(crate) fn seal(&self, chunk: Chunk, mut text: Vec<u8>) -> Vec<u8> {
        self.key
            .seal_in_place_append_tag(chunk.nonce(), self.context(), &mut text)
            .expect("a chunk is shorter than 256 GiB");
        text
    }

    /// Decrypts a chunk.
    pub(crate) fn open(&self, chunk: Chunk, mut sealed: Vec<u8>) -> Result<Vec<u8>, SegmentError> {
        let opened = self.key.open_in_place(chunk.nonce(), self.context(), &mut sealed);
        let length = opened.map_err(|_| SegmentError::Damaged { part: chunk.name() })?.len();
        sealed.truncate(length);
        Ok(sealed)
    }

    fn context(&self) -> Aad<[u8; 16]> {
        Aad::from(*self.segment.0.as_bytes())
    }
}

impl Chunk {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Block(_) => "block",
            Self::Index => "index",
        }
    }

    fn nonce(self) -> Nonce {
        let mut bytes = [0; 12];
        match self {
            Self::Block(number) => bytes[8..].copy_from_slice(&number.to_be_bytes()),
            Self::Index => bytes[0] = 1,
        }
        Nonce::assume_unique_for_key(bytes)
    }
}

/// Binds a wrapped key to its purpose and its segment.
fn wrapping(segment: SegmentId) -> Aad<Vec<u8>> {
    Aad::from([b"matchbook.segment-key.v1\0".as_slice(), segment.0.as_bytes()].concat())
}

fn cipher(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key).expect("the key has 32 bytes"))
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).expect("the system has randomness");
    bytes
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const SEGMENT: SegmentId = SegmentId(Uuid::from_u128(7));

    #[test]
    fn a_wrapped_key_opens_what_it_sealed_and_only_under_its_service_key_and_segment() {
        let service = ArchiveKey::new([1; 32]);
        let (key, wrapped) = service.generate(SEGMENT);
        let sealed = key.seal(Chunk::Block(3), b"queen".to_vec());
        assert_eq!(sealed.len(), 5 + TAG_BYTES);
        let again = service.unwrap_key(SEGMENT, &wrapped).unwrap();
        assert_eq!(again.open(Chunk::Block(3), sealed.clone()).unwrap(), b"queen");
        assert_eq!(again.open(Chunk::Block(2), sealed.clone()), Err(SegmentError::Damaged { part: "block" }));
        assert_eq!(again.open(Chunk::Index, sealed), Err(SegmentError::Damaged { part: "index" }));
        let others = [
            ArchiveKey::new([2; 32]).unwrap_key(SEGMENT, &wrapped),
            service.unwrap_key(SegmentId(Uuid::from_u128(8)), &wrapped),
        ];
        assert!(others.into_iter().all(|other| other.is_err_and(|error| error == SegmentError::OtherKey)));
    }

    #[test]
    fn two_segments_have_different_keys() {
        let service = ArchiveKey::new([1; 32]);
        let sealed = [SEGMENT; 2].map(|id| service.generate(id).0.seal(Chunk::Index, vec![0; 32]));
        assert_ne!(sealed[0], sealed[1]);
    }
}
