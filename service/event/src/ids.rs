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
