//! Keyed and plain hashes.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest as _, Sha256};

/// A key for one purpose, derived from the service key.
#[derive(Clone)]
pub(crate) struct MacKey(pub(super) [u8; 32]);

impl MacKey {
    /// Returns a key with these bytes.
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the key's bytes, for a key that is handed out.
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the HMAC-SHA-256 of the concatenated parts.
    pub(crate) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// Returns the SHA-256 of the concatenated parts.
pub(crate) fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}
