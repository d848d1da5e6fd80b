//! The service key: one secret of 32 random bytes, from which all other keys derive.

use audit::{KeyName, Signer};
use hkdf::Hkdf;
use prost_types::Timestamp;
use sha2::Sha256;

use super::{MacKey, RetiredKey, Signing};
use crate::access::SeatTokens;

/// The service key. Anyone who has it can make any seat's token.
#[derive(Clone)]
pub struct ServiceKey([u8; 32]);

impl ServiceKey {
    /// Returns the key with the 32 bytes of a key file.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns a value that identifies the key without revealing it. The database stores it, so that replicas
    /// with different keys cannot serve together.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.derive(b"matchbook.fingerprint.v1")
    }

    /// Returns the public key that verifies this key's signatures under a name, as `NAME+ID+KEY`.
    pub fn public_key(&self, name: KeyName) -> String {
        self.signer(name).public_key().to_string()
    }

    /// Returns this key's entry in the list of retired keys: in use since the key before it was retired,
    /// until `until`.
    pub fn retired(&self, signing: Signing, until: Timestamp) -> RetiredKey {
        let key = self.signer(signing.name).public_key();
        let from =
            signing.retired.iter().map(|retired| retired.until).max_by_key(|at| (at.seconds, at.nanos));
        RetiredKey { key, from, until }
    }

    /// Returns the key that seat tokens are made with.
    fn token_key(&self) -> MacKey {
        MacKey(self.derive(b"matchbook.token.v1"))
    }

    /// Returns what makes seats' tokens and tells whose one is.
    pub fn seat_tokens(&self) -> SeatTokens {
        SeatTokens::new(self.token_key())
    }

    /// Returns the keys that feed cursors are authenticated and encrypted with.
    pub(crate) fn cursor_keys(&self) -> [MacKey; 2] {
        [b"matchbook.cursor-tag.v1", b"matchbook.cursor-pad.v1"].map(|purpose| MacKey(self.derive(purpose)))
    }

    /// Returns the key that page tokens are authenticated with.
    pub(crate) fn page_key(&self) -> MacKey {
        MacKey(self.derive(b"matchbook.page.v1"))
    }

    /// Returns the key that secrets of webhooks derive from.
    pub(crate) fn webhook_key(&self) -> MacKey {
        MacKey(self.derive(b"matchbook.webhook.v1"))
    }

    /// Returns the key that wraps the keys of the archive's segments.
    pub fn archive_key(&self) -> [u8; 32] {
        self.derive(b"matchbook.archive.v1")
    }

    /// Returns the signer of logs and of the archive's segments under this name.
    pub fn signer(&self, name: KeyName) -> Signer {
        Signer::new(name, &self.derive(b"matchbook.signing.v1"))
    }

    fn derive(&self, purpose: &[u8]) -> [u8; 32] {
        let mut derived = [0; 32];
        Hkdf::<Sha256>::new(None, &self.0)
            .expand(purpose, &mut derived)
            .expect("HKDF-SHA-256 expands to up to 8160 bytes");
        derived
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_keys_differ_from_each_other_and_from_the_service_key() {
        let key = ServiceKey::from_bytes([1; 32]);
        assert_ne!(key.fingerprint(), [1; 32]);
        assert_ne!(key.fingerprint(), key.token_key().0);
        assert_ne!(key.page_key().0, key.token_key().0);
        assert_ne!(key.fingerprint(), ServiceKey::from_bytes([2; 32]).fingerprint());
    }
}
