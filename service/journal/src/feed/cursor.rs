//! A position in the feed and its encoding as bytes.

use uuid::Uuid;

use crate::{Hlc, MatchId, Seq};

/// The position of an event in the feed. Cursors sort like the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedCursor {
    pub(crate) hlc: Hlc,
    pub(crate) match_id: MatchId,
    pub(crate) seq: Seq,
}

impl FeedCursor {
    /// The position before every event.
    pub(crate) const BEGINNING: FeedCursor =
        FeedCursor { hlc: Hlc(0), match_id: MatchId(Uuid::nil()), seq: Seq(0) };

    /// Returns the position after every event of the commits up to `hlc`.
    pub(crate) fn end_of(hlc: Hlc) -> FeedCursor {
        let last = Seq(i32::MAX.unsigned_abs());
        FeedCursor { hlc: hlc.max(Hlc(1)), match_id: MatchId(Uuid::max()), seq: last }
    }

    /// Length of an encoded cursor.
    pub const BYTES: usize = 28;

    /// Encodes the cursor. The bytes contain a match id: encrypt them for readers who may not know the match.
    #[must_use]
    pub fn to_bytes(self) -> [u8; FeedCursor::BYTES] {
        let mut bytes = [0; FeedCursor::BYTES];
        bytes[..8].copy_from_slice(&self.hlc.0.to_be_bytes());
        bytes[8..24].copy_from_slice(self.match_id.0.as_bytes());
        bytes[24..].copy_from_slice(&self.seq.0.to_be_bytes());
        bytes
    }

    /// Decodes a cursor. Returns `None` if no event can have this position.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; FeedCursor::BYTES]) -> Option<FeedCursor> {
        let (hlc, rest) = bytes.split_first_chunk()?;
        let (match_id, seq) = rest.split_first_chunk()?;
        let hlc = i64::from_be_bytes(*hlc);
        let seq = u32::from_be_bytes(*seq.first_chunk()?);
        let match_id = MatchId(Uuid::from_bytes(*match_id));
        let possible = hlc >= 1 && (1..=i32::MAX.unsigned_abs()).contains(&seq);
        possible.then_some(FeedCursor { hlc: Hlc(hlc), match_id, seq: Seq(seq) })
    }

    /// Returns the event's match.
    #[must_use]
    pub fn match_id(self) -> MatchId {
        self.match_id
    }

    /// Returns the event's number in its match.
    #[must_use]
    pub fn seq(self) -> Seq {
        self.seq
    }

    /// Returns the `Hlc` of the event's batch.
    #[must_use]
    pub fn hlc(self) -> Hlc {
        self.hlc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_round_trip_and_impossible_positions_do_not_decode() {
        let match_id = MatchId(Uuid::from_u128(0x0192_0000_7000_8000_0000_0000_0000_00ab));
        let most = i32::MAX.unsigned_abs();
        for (hlc, seq) in [(1, 1), (1_700_000_000_000_000, 17), (i64::MAX, most)] {
            let cursor = FeedCursor { hlc: Hlc(hlc), match_id, seq: Seq(seq) };
            assert_eq!(FeedCursor::from_bytes(&cursor.to_bytes()), Some(cursor));
        }
        for (hlc, seq) in [(0, 1), (-1, 1), (1, 0), (1, most + 1), (1, u32::MAX)] {
            let wrong = FeedCursor { hlc: Hlc(hlc), match_id, seq: Seq(seq) };
            assert_eq!(FeedCursor::from_bytes(&wrong.to_bytes()), None, "{hlc} {seq}");
        }
    }
}
