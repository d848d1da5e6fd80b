//! The numbers and ids of the journal, each a type of its own so that none is taken for another.

use uuid::Uuid;

/// The order of batches: larger than the clock of every batch that this one could have seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock(pub i64);

/// One writer's line of batches. Every start of a replica opens new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane(pub i64);

/// A batch's place in its lane: 1, 2, 3, ... without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneNo(pub i64);

/// Names one run of one replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReplicaId(pub(crate) Uuid);

impl LaneNo {
    /// The place after this one.
    #[must_use]
    pub fn next(self) -> LaneNo {
        LaneNo(self.0 + 1)
    }
}

impl ReplicaId {
    /// A new name for this run.
    pub(crate) fn mint() -> ReplicaId {
        ReplicaId(Uuid::new_v4())
    }
}
