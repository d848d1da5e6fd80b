//! The hash chain. Each hash covers its event and the previous hash, and so the whole log up to that event.
//! It covers commitments instead of secrets, so a redacted log verifies as well.

use sha2::{Digest as _, Sha256};

use crate::{Commitment, MatchId, RecordTime, Seq};

const DOMAIN: &[u8] = b"matchbook.event.v1\0";

/// The SHA-256 hash of an event and of all events before it.
pub type ChainHash = [u8; 32];

/// The input of an event's hash, in the order in which it is hashed. Integers are hashed big-endian.
pub struct Link<'a> {
    /// Hash of the previous event, or `None` for the first one.
    pub previous: Option<ChainHash>,
    /// The match that the event belongs to.
    pub match_id: MatchId,
    /// Number of the event in its match.
    pub seq: Seq,
    /// Number of the event's kind.
    pub kind: u16,
    /// Time at which the event was recorded.
    pub record_time: RecordTime,
    /// Bytes of the public part.
    pub public: &'a [u8],
    /// Commitment to the sealed part, or `None` if the event has none.
    pub commitment: Option<Commitment>,
}

impl Link<'_> {
    /// Computes the event's hash.
    pub fn hash(&self) -> ChainHash {
        const NONE: [u8; 32] = [0; 32];
        Sha256::new()
            .chain_update(DOMAIN)
            .chain_update(self.previous.unwrap_or(NONE))
            .chain_update(self.match_id.0.as_bytes())
            .chain_update(self.seq.0.to_be_bytes())
            .chain_update(self.kind.to_be_bytes())
            .chain_update(self.record_time.0.to_be_bytes())
            .chain_update(Sha256::digest(self.public))
            .chain_update(self.commitment.unwrap_or(NONE))
            .finalize()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// The expected hashes were computed with Python's hashlib from the description in docs/audit.md.
    #[test]
    fn matches_an_independent_computation() {
        let link = Link {
            previous: None,
            match_id: MatchId(Uuid::from_bytes([7; 16])),
            seq: Seq(1),
            kind: 3,
            record_time: RecordTime(1_700_000_000_000_000),
            public: b"public",
            commitment: Some([9; 32]),
        };
        assert_eq!(hex(&link.hash()), "60e1d33b077684c9a4a69821351a189e621e98a5e7e450448bc21ccbfaad1791");
        let next = Link { previous: Some(link.hash()), seq: Seq(2), commitment: None, ..link };
        assert_eq!(hex(&next.hash()), "8dbd19636ebbe74e5b0f9139353cc18390644d7290cb58308317f2d9894f35b8");
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
