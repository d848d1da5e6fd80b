//! The seed of a match. The service commits to its bytes before the seats contribute theirs, so none of the
//! three can choose the seed alone.

use event::MatchId;
use sha2::{Digest as _, Sha256};

const DOMAIN: &[u8] = b"matchbook.seed.v1\0";

/// Length of the service's contribution to a seed, in bytes.
pub const SERVER_SEED_BYTES: usize = 32;

/// Maximum length of a seat's contribution to a seed, in bytes.
pub const MAX_ENTROPY_BYTES: usize = 64;

/// Derives the seed from what the service and each seat contributed, in order of seats. A claim with entropy
/// longer than [`MAX_ENTROPY_BYTES`] is rejected before.
pub(crate) fn derive<'a>(
    match_id: MatchId,
    server: &[u8],
    entropy: impl IntoIterator<Item = &'a [u8]>,
) -> [u8; 32] {
    let mut hash =
        Sha256::new().chain_update(DOMAIN).chain_update(match_id.0.as_bytes()).chain_update(server);
    for entropy in entropy {
        let length = u8::try_from(entropy.len()).expect("a claim's entropy is at most 64 bytes");
        hash = hash.chain_update([length]).chain_update(entropy);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// The expected seed was computed with Python's hashlib from docs/audit.md.
    #[test]
    fn matches_an_independent_computation() {
        let entropy: [&[u8]; 2] = [b"angel", b""];
        let seed = derive(MatchId(Uuid::from_bytes([7; 16])), &[1; 32], entropy);
        let hex: String = seed.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "38a3c41b7d0ba3dcce12de30c8c6a97cf3f5c1002dd2efea6c426bfa938c6f37");
    }

    #[test]
    fn lengths_separate_the_seats_entropy() {
        let derive = |zero, one| derive(MatchId(Uuid::nil()), &[0; 32], [zero, one]);
        assert_ne!(derive(b"ab", b"c"), derive(b"a", b"bc"));
    }
}
