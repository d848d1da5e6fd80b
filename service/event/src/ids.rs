//! Ids, positions in a log and times, each with its own type so that the compiler tells them apart.

use std::fmt;

use uuid::Uuid;

/// The id of a match: a UUIDv7, so ids sort by creation time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId(pub Uuid);

/// The number of an event in its match: 1, 2, 3, ... without gaps. 0 means "before the first event".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(pub u32);

/// Microseconds since the Unix epoch, read from the database's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordTime(pub i64);

impl MatchId {
    /// Reads the 16 bytes of an id.
    pub fn from_bytes(bytes: &[u8]) -> Option<MatchId> {
        Uuid::from_slice(bytes).ok().map(MatchId)
    }
}

impl Seq {
    /// The number of a match's first event.
    pub const FIRST: Seq = Seq(1);

    /// Returns the number of the next event.
    #[must_use]
    pub fn next(self) -> Seq {
        Seq(self.0 + 1)
    }

    /// Returns the number of the event before; 0 before the first.
    #[must_use]
    pub fn previous(self) -> Seq {
        Seq(self.0.saturating_sub(1))
    }
}

impl RecordTime {
    /// Returns the earliest time after this one; the last time has none and is returned itself.
    #[must_use]
    pub fn next(self) -> RecordTime {
        RecordTime(self.0.saturating_add(1))
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_16_bytes_and_prints_as_a_uuid() {
        let id = MatchId(Uuid::from_u128(0x0192_f0c1_2b3a_7c4d_8e5f_6071_8293_a4b5));
        assert_eq!(MatchId::from_bytes(id.0.as_bytes()), Some(id));
        assert_eq!([0, 15, 17].map(|length| MatchId::from_bytes(&[0; 32][..length])), [None; 3]);
        assert_eq!(id.to_string(), "0192f0c1-2b3a-7c4d-8e5f-60718293a4b5");
    }

    #[test]
    fn events_are_numbered_without_gaps_and_nothing_comes_before_the_first() {
        assert_eq!((Seq::FIRST.next(), Seq(41).next().to_string()), (Seq(2), "42".to_owned()));
        assert_eq!([42, 1, 0].map(|seq| Seq(seq).previous()), [Seq(41), Seq(0), Seq(0)]);
    }

    #[test]
    fn times_are_a_microsecond_apart_and_end() {
        assert_eq!(RecordTime(-1).next(), RecordTime(0));
        assert_eq!(RecordTime(1_790_000_000_000_000).next(), RecordTime(1_790_000_000_000_001));
        assert_eq!(RecordTime(i64::MAX).next(), RecordTime(i64::MAX));
    }
}
