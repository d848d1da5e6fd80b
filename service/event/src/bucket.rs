//! Buckets: the 10 bits of a match's id that say where the match may be stored, once there is more than one
//! place. They are part of the id, so they can never change.

use uuid::Uuid;

use crate::MatchId;

/// One of 1024 groups of matches, 0 to 1023.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket(u16);

impl Bucket {
    /// Number of buckets.
    pub const COUNT: u16 = 1 << 10;

    /// Returns the bucket that the first 10 bits of a hash name.
    pub fn of_hash(hash: &[u8; 32]) -> Self {
        Self(u16::from_be_bytes([hash[0], hash[1]]) >> 6)
    }

    /// Returns the number.
    pub fn number(self) -> u16 {
        self.0
    }
}

impl MatchId {
    /// Returns the bucket: the last 10 bits of the id, which are random in a UUIDv7.
    pub fn bucket(self) -> Bucket {
        let bytes = self.0.as_bytes();
        Bucket(u16::from_be_bytes([bytes[14], bytes[15]]) % Bucket::COUNT)
    }

    /// Returns the id with its bucket replaced. It loses 10 of its random bits.
    #[must_use]
    pub fn in_bucket(self, bucket: Bucket) -> Self {
        let mut bytes = *self.0.as_bytes();
        let kept = u16::from_be_bytes([bytes[14], bytes[15]]) & !(Bucket::COUNT - 1);
        bytes[14..].copy_from_slice(&(kept | bucket.0).to_be_bytes());
        Self(Uuid::from_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(number: u16) -> Bucket {
        let [high, low] = (number << 6).to_be_bytes();
        let mut hash = [0xff; 32];
        (hash[0], hash[1]) = (high, low | 0x3f);
        Bucket::of_hash(&hash)
    }

    #[test]
    fn an_id_keeps_everything_but_its_bucket() {
        let id = MatchId(Uuid::from_u128(0x0192_f0c1_2b3a_7c4d_8e5f_6071_8293_a4b5));
        assert_eq!(id.bucket().number(), 0x0b5);
        for number in [0, 1, 0x2aa, Bucket::COUNT - 1] {
            let moved = id.in_bucket(bucket(number));
            assert_eq!(moved.bucket().number(), number);
            assert_eq!(moved.0.as_u128() >> 10, id.0.as_u128() >> 10);
            assert_eq!(moved.0.get_version_num(), 7);
        }
    }

    #[test]
    fn fresh_ids_are_spread_over_all_buckets() {
        let mut found = [false; Bucket::COUNT as usize];
        for _ in 0..40_000 {
            found[usize::from(MatchId(Uuid::now_v7()).bucket().number())] = true;
        }
        // Each of 1024 buckets stays empty with a probability of e^-39.
        assert!(found.iter().all(|found| *found));
    }
}
