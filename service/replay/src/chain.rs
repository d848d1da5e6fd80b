//! The hash chain: each event's hash covers the event and, through the hash
//! before it, the whole log so far. It needs commitments only, never secrets, so
//! a redacted log verifies as well.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

const DOMAIN: &[u8] = b"matchbook.event.v1\0";

/// The SHA-256 that an event is known by.
pub type ChainHash = [u8; 32];

/// What is hashed of an event; numbers enter big-endian, in this order.
pub(crate) struct Link<'a> {
    /// The hash of the event before; none for the first.
    pub previous: Option<ChainHash>,
    pub match_id: Uuid,
    pub seq: u32,
    pub kind: u16,
    pub recorded_time: i64,
    pub public: &'a [u8],
    /// SHA-256 of the sealed part; none if there is no sealed part.
    pub commitment: Option<[u8; 32]>,
}

impl Link<'_> {
    pub(crate) fn hash(&self) -> ChainHash {
        const NONE: [u8; 32] = [0; 32];
        Sha256::new()
            .chain_update(DOMAIN)
            .chain_update(self.previous.unwrap_or(NONE))
            .chain_update(self.match_id.as_bytes())
            .chain_update(self.seq.to_be_bytes())
            .chain_update(self.kind.to_be_bytes())
            .chain_update(self.recorded_time.to_be_bytes())
            .chain_update(Sha256::digest(self.public))
            .chain_update(self.commitment.unwrap_or(NONE))
            .finalize()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with Python's hashlib from the description in the design.
    #[test]
    fn matches_an_independent_computation() {
        let link = Link {
            previous: None,
            match_id: Uuid::from_bytes([7; 16]),
            seq: 1,
            kind: 3,
            recorded_time: 1_700_000_000_000_000,
            public: b"public",
            commitment: Some([9; 32]),
        };
        assert_eq!(hex(&link.hash()), "60e1d33b077684c9a4a69821351a189e621e98a5e7e450448bc21ccbfaad1791");
        let next = Link { previous: Some(link.hash()), seq: 2, commitment: None, ..link };
        assert_eq!(hex(&next.hash()), "8dbd19636ebbe74e5b0f9139353cc18390644d7290cb58308317f2d9894f35b8");
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
