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
