//! Time and randomness as the use cases get them: from outside, so that a test can decide both.

use journal::Journal;
use uuid::Uuid;

/// Where time and randomness come from.
pub trait Surroundings: Send + Sync + 'static {
    /// The database's time, in microseconds since 1970.
    fn now(&self, journal: &Journal) -> i64;

    /// 32 bytes that nobody can guess: salts, and the service's part of seeds.
    fn secret(&self) -> [u8; 32];

    /// The id of a new match: a UUID of version 7, so that ids grow with time.
    fn new_match_id(&self) -> Uuid;
}

/// The database's clock and the system's generator.
pub struct System;

impl Surroundings for System {
    fn now(&self, journal: &Journal) -> i64 {
        journal.now().0
    }

    fn secret(&self) -> [u8; 32] {
        rand::random()
    }

    fn new_match_id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
