//! The state digest. Once the seed is open it proves that a rebuilt state is the one that was played; before
//! that it reveals nothing, because its key is secret.

use event::{MatchId, Seq};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest as _, Sha256};

const DOMAIN: &[u8] = b"matchbook.digest.v1\0";

/// The key of a match's digests.
#[derive(Clone)]
pub(crate) struct DigestKey([u8; 32]);

impl DigestKey {
    /// Derives the key: SHA-256 over domain, seed and match id.
    pub(crate) fn derive(seed: &[u8; 32], match_id: MatchId) -> Self {
        let hash = Sha256::new().chain_update(DOMAIN).chain_update(seed).chain_update(match_id.0.as_bytes());
        Self(hash.finalize().into())
    }

    /// Computes HMAC-SHA-256 over the event's seq (big-endian) and the canonical state.
    pub(crate) fn digest(&self, seq: Seq, canonical: &[u8]) -> [u8; 32] {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.chain_update(seq.0.to_be_bytes()).chain_update(canonical).finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// The expected digest was computed with Python's hashlib and hmac from docs/audit.md.
    #[test]
    fn matches_an_independent_computation() {
        let key = DigestKey::derive(&[3; 32], MatchId(Uuid::from_bytes([7; 16])));
        let hex: String = key.digest(Seq(9), b"state").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "7153e7ccc2f82186a140a7fa376916743517d0b145f621f293a474ca171d4235");
    }
}
