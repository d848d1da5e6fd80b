//! Sealed parts: secrets that a log commits to now and may open later. A random salt keeps a commitment from
//! revealing a secret that could be guessed.

use std::fmt;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

/// Length of the random salt before each secret, in bytes.
pub const SALT_BYTES: usize = 32;

/// The SHA-256 hash of a sealed part, salt included.
pub type Commitment = [u8; 32];

/// A salt and a secret, as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    bytes: Bytes,
    /// Cached: every reader of the event needs it.
    commitment: Commitment,
}

impl Sealed {
    /// Seals a secret. The salt must be fresh and random.
    pub fn new(salt: [u8; SALT_BYTES], secret: &[u8]) -> Self {
        Self::hashed([&salt, secret].concat().into())
    }

    /// Reads stored bytes. Returns `None` if they are shorter than a salt.
    pub fn from_bytes(bytes: Bytes) -> Option<Self> {
        (bytes.len() >= SALT_BYTES).then(|| Self::hashed(bytes))
    }

    /// Reads bytes that claim to open a commitment. Returns `None` if they don't.
    pub fn opening(bytes: &[u8], commitment: Commitment) -> Option<Self> {
        Self::from_bytes(Bytes::copy_from_slice(bytes)).filter(|sealed| sealed.commitment == commitment)
    }

    fn hashed(bytes: Bytes) -> Self {
        let commitment = Sha256::digest(&bytes).into();
        Self { bytes, commitment }
    }

    /// Returns salt and secret, to store or to open.
    pub fn as_bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the secret without its salt.
    pub fn secret(&self) -> &[u8] {
        &self.bytes[SALT_BYTES..]
    }
}

/// A sealed part of which perhaps only the commitment is at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SealedPart {
    /// Salt and secret.
    Open(Sealed),
    /// The commitment alone.
    Closed(Commitment),
}

/// How much of a sealed part an [`Event`](crate::Event) holds.
pub trait Part {
    /// Returns the public commitment.
    fn commitment(&self) -> Commitment;

    /// Returns salt and secret, or `None` if only the commitment is at hand.
    fn opened(&self) -> Option<&Sealed>;

    /// Copies everything that is at hand.
    fn to_part(&self) -> SealedPart;
}

impl Part for Sealed {
    fn commitment(&self) -> Commitment {
        self.commitment
    }

    fn opened(&self) -> Option<&Sealed> {
        Some(self)
    }

    fn to_part(&self) -> SealedPart {
        SealedPart::Open(self.clone())
    }
}

impl Part for SealedPart {
    fn commitment(&self) -> Commitment {
        match self {
            Self::Open(sealed) => sealed.commitment,
            Self::Closed(commitment) => *commitment,
        }
    }

    fn opened(&self) -> Option<&Sealed> {
        match self {
            Self::Open(sealed) => Some(sealed),
            Self::Closed(_) => None,
        }
    }

    fn to_part(&self) -> SealedPart {
        self.clone()
    }
}

/// Prints nothing of the secret.
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
    fn bytes_shorter_than_a_salt_are_rejected() {
        assert_eq!(Sealed::from_bytes(Bytes::from_static(&[0; SALT_BYTES - 1])), None);
        let empty = Sealed::from_bytes(Bytes::from_static(&[0; SALT_BYTES])).unwrap();
        assert!(empty.secret().is_empty());
    }

    #[test]
    fn a_commitment_is_opened_by_its_bytes_and_by_no_others() {
        let sealed = Sealed::new([1; SALT_BYTES], b"3,5");
        assert_eq!(Sealed::opening(sealed.as_bytes(), sealed.commitment()), Some(sealed.clone()));
        for byte in 0..sealed.as_bytes().len() {
            let mut changed = sealed.as_bytes().to_vec();
            changed[byte] ^= 1;
            assert_eq!(Sealed::opening(&changed, sealed.commitment()), None, "byte {byte}");
        }
    }

    #[test]
    fn a_part_has_its_commitment_whether_it_is_open_or_closed() {
        let sealed = Sealed::new([1; SALT_BYTES], b"3,5");
        let (open, closed) = (SealedPart::Open(sealed.clone()), SealedPart::Closed(sealed.commitment()));
        assert_eq!([open.commitment(), closed.commitment()], [sealed.commitment(); 2]);
        assert_eq!([open.opened(), closed.opened(), sealed.opened()], [Some(&sealed), None, Some(&sealed)]);
        assert_eq!([open.to_part(), closed.to_part()], [open, closed]);
    }
}
