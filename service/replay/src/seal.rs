//! Sealed parts: a secret that the log commits to now and may open later. The
//! salt makes the commitment say nothing about a secret that could be guessed.

use std::fmt;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

/// Random bytes in front of each secret, made by the service.
pub const SALT_BYTES: usize = 32;

/// Salt and secret, as stored. Its SHA-256 is the commitment; there is no other.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    bytes: Bytes,
    commitment: [u8; 32],
}

impl Sealed {
    /// Seals a secret under a salt that must be fresh and random.
    pub fn new(salt: [u8; SALT_BYTES], secret: &[u8]) -> Self {
        Self::hashed([&salt, secret].concat().into())
    }

    /// Takes stored bytes back; none if they are too short to hold a salt.
    pub fn from_bytes(bytes: Bytes) -> Option<Self> {
        (bytes.len() >= SALT_BYTES).then(|| Self::hashed(bytes))
    }

    /// The commitment is asked for again and again.
    fn hashed(bytes: Bytes) -> Self {
        let commitment = Sha256::digest(&bytes).into();
        Self { bytes, commitment }
    }

    /// Takes the bytes that open a commitment; none if they don't.
    pub fn opening(bytes: &[u8], commitment: [u8; 32]) -> Option<Self> {
        Self::from_bytes(Bytes::copy_from_slice(bytes)).filter(|sealed| sealed.commitment() == commitment)
    }

    /// The whole sealed part, to be stored or opened.
    pub fn as_bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The secret without its salt.
    pub fn secret(&self) -> &[u8] {
        &self.bytes[SALT_BYTES..]
    }

    /// What everybody may know of it.
    pub fn commitment(&self) -> [u8; 32] {
        self.commitment
    }
}

/// A sealed part as somebody has it who may not have been told it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SealedPart {
    /// All of it.
    Open(Sealed),
    /// Only the commitment.
    Closed([u8; 32]),
}

impl SealedPart {
    /// What everybody may know of it.
    pub fn commitment(&self) -> [u8; 32] {
        match self {
            Self::Open(sealed) => sealed.commitment(),
            Self::Closed(commitment) => *commitment,
        }
    }

    /// All of it, if it is open.
    pub fn opened(&self) -> Option<&Sealed> {
        match self {
            Self::Open(sealed) => Some(sealed),
            Self::Closed(_) => None,
        }
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_part_is_salt_then_secret_and_never_printed() {
        let sealed = Sealed::new([1; SALT_BYTES], b"3,5");
        assert_eq!(sealed.secret(), b"3,5");
        assert_eq!(sealed.as_bytes().len(), SALT_BYTES + 3);
        assert_eq!(Sealed::from_bytes(sealed.as_bytes().clone()), Some(sealed.clone()));
        assert_ne!(sealed.commitment(), Sealed::new([2; SALT_BYTES], b"3,5").commitment());
        assert_eq!(format!("{sealed:?}"), "Sealed(..)");
    }

    #[test]
    fn bytes_without_room_for_a_salt_are_no_sealed_part() {
        assert_eq!(Sealed::from_bytes(Bytes::from_static(&[0; SALT_BYTES - 1])), None);
    }
}
