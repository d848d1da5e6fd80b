//! Ids and numbers of the journal, each a type of its own so that none is mistaken for another.

use uuid::Uuid;

/// A hybrid logical clock: the commit time of a batch in microseconds, but always greater than the `Hlc` of
/// every batch that the writer could have seen before. It orders all batches of a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hlc(pub i64);

/// The id of a writer. Every start of a replica opens new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WriterId(pub(crate) i64);

/// The number of a batch within its writer: 1, 2, 3, ... without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BatchNumber(pub(crate) i64);

/// The id of one run of a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReplicaId(pub(crate) Uuid);

/// The maximum number of rows in one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageSize(pub u32);

impl Hlc {
    /// Returns the smallest value after this one.
    #[must_use]
    pub fn next(self) -> Hlc {
        Hlc(self.0 + 1)
    }
}

impl BatchNumber {
    /// The number of a writer's first batch.
    pub(crate) const FIRST: BatchNumber = BatchNumber(1);

    /// Returns the number of the next batch.
    pub(crate) fn next(self) -> BatchNumber {
        BatchNumber(self.0 + 1)
    }

    /// Returns the number of the batch before; 0 before the first.
    pub(crate) fn previous(self) -> BatchNumber {
        BatchNumber(self.0 - 1)
    }
}

impl ReplicaId {
    /// Generates an id for this run.
    pub(crate) fn generate() -> ReplicaId {
        ReplicaId(Uuid::new_v4())
    }
}
