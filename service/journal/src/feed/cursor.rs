//! A place in the feed, and its bytes. How readers are given them is not known here.

use uuid::Uuid;

use crate::{Clock, MatchId, Seq};

/// A place in the feed: that of one event. Cursors sort as the feed does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedCursor {
    pub(crate) clock: Clock,
    pub(crate) match_id: MatchId,
    pub(crate) seq: Seq,
}

impl FeedCursor {
    /// Before every event.
    pub(crate) const BEGINNING: FeedCursor =
        FeedCursor { clock: Clock(0), match_id: MatchId(Uuid::nil()), seq: Seq(0) };

    /// How many bytes a place takes.
    pub const BYTES: usize = 28;

    /// The place as bytes. They name a match: readers who may not know of it must not see them.
    #[must_use]
    pub fn to_bytes(self) -> [u8; FeedCursor::BYTES] {
        let mut bytes = [0; FeedCursor::BYTES];
        bytes[..8].copy_from_slice(&self.clock.0.to_be_bytes());
        bytes[8..24].copy_from_slice(self.match_id.0.as_bytes());
        bytes[24..].copy_from_slice(&self.seq.0.to_be_bytes());
        bytes
    }

    /// The place that has these bytes; none if no event can be there.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; FeedCursor::BYTES]) -> Option<FeedCursor> {
        let (clock, rest) = bytes.split_first_chunk()?;
        let (match_id, seq) = rest.split_first_chunk()?;
        let clock = i64::from_be_bytes(*clock);
        let seq = u32::from_be_bytes(*seq.first_chunk()?);
        let match_id = MatchId(Uuid::from_bytes(*match_id));
        let possible = clock >= 1 && (1..=i32::MAX.unsigned_abs()).contains(&seq);
        possible.then_some(FeedCursor { clock: Clock(clock), match_id, seq: Seq(seq) })
    }

    /// The event's match.
    #[must_use]
    pub fn match_id(self) -> MatchId {
        self.match_id
    }

    /// The event's place in its match.
    #[must_use]
    pub fn seq(self) -> Seq {
        self.seq
    }

    /// The clock of the batch that carried the event.
    #[must_use]
    pub fn clock(self) -> Clock {
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_from_its_bytes_and_impossible_places_do_not() {
        let match_id = MatchId(Uuid::from_u128(0x0192_0000_7000_8000_0000_0000_0000_00ab));
        let most = i32::MAX.unsigned_abs();
        for (clock, seq) in [(1, 1), (1_700_000_000_000_000, 17), (i64::MAX, most)] {
            let cursor = FeedCursor { clock: Clock(clock), match_id, seq: Seq(seq) };
            assert_eq!(FeedCursor::from_bytes(&cursor.to_bytes()), Some(cursor));
        }
        for (clock, seq) in [(0, 1), (-1, 1), (1, 0), (1, most + 1), (1, u32::MAX)] {
            let wrong = FeedCursor { clock: Clock(clock), match_id, seq: Seq(seq) };
            assert_eq!(FeedCursor::from_bytes(&wrong.to_bytes()), None, "{clock} {seq}");
        }
    }
}
