//! The service's one secret: 32 random bytes that all other keys derive from.

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use prost_types::Timestamp;
use replay::{KeyName, Signer};
use sha2::{Digest as _, Sha256};

use crate::{RetiredKey, Signing};

/// The service key. Whoever has it can make any seat's token.
#[derive(Clone)]
pub struct ServiceKey([u8; 32]);

impl ServiceKey {
    /// Takes the 32 bytes of the key file.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Tells one key from another without saying anything about it; the database
    /// remembers it, so that replicas with different keys can't serve together.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.derive(b"matchbook.fingerprint.v1")
    }

    /// The public key that checks what it signs, as `NAME+ID+KEY`.
    pub fn public_key(&self, signing: &Signing) -> String {
        self.signer(signing.name.clone()).public_key().to_string()
    }

    /// What is to be told of it once it signs no more: since the key before it was replaced, until now.
    pub fn retired(&self, signing: &Signing, until: Timestamp) -> RetiredKey {
        let key = self.signer(signing.name.clone()).public_key();
        let from =
            signing.retired.iter().map(|retired| retired.until).max_by_key(|at| (at.seconds, at.nanos));
        RetiredKey { key, from, until }
    }

    pub(crate) fn token_key(&self) -> MacKey {
        MacKey(self.derive(b"matchbook.token.v1"))
    }

    /// What the feed's cursors are vouched for with, and what they are hidden with.
    pub(crate) fn cursor_keys(&self) -> [MacKey; 2] {
        [b"matchbook.cursor-tag.v1", b"matchbook.cursor-pad.v1"].map(|purpose| MacKey(self.derive(purpose)))
    }

    /// What logs are signed with, under this name.
    pub(crate) fn signer(&self, name: KeyName) -> Signer {
        Signer::new(name, &self.derive(b"matchbook.signing.v1"))
    }

    fn derive(&self, purpose: &[u8]) -> [u8; 32] {
        let mut derived = [0; 32];
        Hkdf::<Sha256>::new(None, &self.0)
            .expand(purpose, &mut derived)
            .expect("HKDF-SHA-256 gives up to 8160 bytes");
        derived
    }
}

/// A key for one purpose.
#[derive(Clone)]
pub(crate) struct MacKey([u8; 32]);

impl MacKey {
    pub(crate) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// SHA-256, for what is stored as a hash only.
pub(crate) fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_for_different_purposes_differ_and_are_not_the_key() {
        let key = ServiceKey::from_bytes([1; 32]);
        assert_ne!(key.fingerprint(), [1; 32]);
        assert_ne!(key.fingerprint(), key.token_key().0);
        assert_ne!(key.fingerprint(), ServiceKey::from_bytes([2; 32]).fingerprint());
    }
}
