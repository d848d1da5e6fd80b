//! Injected time and randomness, so that tests control both.

use event::{MatchId, RecordTime};
use journal::Journal;
use uuid::Uuid;

/// A source of time and randomness.
pub trait Environment: Send + Sync + 'static {
    /// Returns the database's time.
    fn now(&self, journal: &Journal) -> RecordTime;

    /// Returns 32 unpredictable bytes, used for salts and the service's share of seeds.
    fn secret(&self) -> [u8; 32];

    /// Returns an id for a new match: a UUIDv7, so that ids sort by creation time.
    fn new_match_id(&self) -> MatchId;
}

/// The database's clock and the operating system's random generator.
pub struct SystemEnvironment;

impl Environment for SystemEnvironment {
    fn now(&self, journal: &Journal) -> RecordTime {
        journal.now()
    }

    fn secret(&self) -> [u8; 32] {
        rand::random()
    }

    fn new_match_id(&self) -> MatchId {
        MatchId(Uuid::now_v7())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_ids_are_never_the_same() {
        let secrets: Vec<_> = (0..4).map(|_| SystemEnvironment.secret()).collect();
        let ids: Vec<_> = (0..4).map(|_| SystemEnvironment.new_match_id()).collect();
        for at in 0..4 {
            assert!(secrets[..at].iter().all(|earlier| *earlier != secrets[at]));
            assert!(ids[..at].iter().all(|earlier| *earlier != ids[at]));
            // Each byte is random: 32 equal ones have a probability of 2^-248.
            assert!(secrets[at].iter().any(|byte| *byte != secrets[at][0]));
        }
    }
}
