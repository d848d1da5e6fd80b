//! Shards: the parts into which a database divides its matches. Each row of the hot path belongs to the shard
//! of its match.

use event::Bucket;

use crate::MatchId;

/// A shard of a database, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard(u16);

/// The number of shards of a database, 1 to 1024. It is chosen when the database is created and never
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shards(u16);

impl Shard {
    /// The first shard, which every database has.
    pub(crate) const FIRST: Shard = Shard(0);

    /// Returns the number that tables store.
    #[must_use]
    pub fn number(self) -> u16 {
        self.0
    }
}

impl Shards {
    /// One shard.
    pub const ONE: Shards = Shards(1);

    /// The most shards that a database can have: as many as there are buckets.
    pub const MAX: u16 = Bucket::COUNT;

    /// Returns the number as a number of shards, or `None` if no database can have as many.
    #[must_use]
    pub fn new(count: u16) -> Option<Shards> {
        (1..=Shards::MAX).contains(&count).then_some(Shards(count))
    }

    /// Returns the number.
    #[must_use]
    pub fn count(self) -> u16 {
        self.0
    }

    /// Returns the shard of a match: its bucket modulo the number of shards.
    #[must_use]
    pub fn of(self, id: MatchId) -> Shard {
        Shard(id.bucket().number() % self.0)
    }

    /// Returns all shards in order.
    pub(crate) fn all(self) -> impl Iterator<Item = Shard> {
        (0..self.0).map(Shard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::id;

    #[test]
    fn a_database_has_1_to_1024_shards() {
        assert_eq!(Shards::new(0), None);
        assert_eq!(Shards::new(1), Some(Shards::ONE));
        assert_eq!(Shards::new(1024).map(Shards::count), Some(1024));
        assert_eq!(Shards::new(1025), None);
    }

    #[test]
    fn a_shard_follows_from_the_last_bits_of_the_id() {
        let four = Shards::new(4).unwrap();
        // Buckets 0, 5 and 1023, the last one with other bits before it.
        let numbers = [0, 5, u128::MAX].map(|n| four.of(id(n)).number());
        assert_eq!(numbers, [0, 1, 3]);
        assert_eq!(Shards::new(1000).unwrap().of(id(1023)).number(), 23);
        assert_eq!(Shards::ONE.of(id(u128::MAX)), Shard::FIRST);
        assert_eq!(four.all().map(Shard::number).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}
