//! A clock that tests advance by hand, and randomness that repeats.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use event::{MatchId, RecordTime};
use journal::Journal;
use play::Environment;
use uuid::Uuid;

const START: i64 = 1_790_000_000_000_000;

/// An environment in which time stands still until a test advances it; cheap to clone.
#[derive(Clone)]
pub(crate) struct ManualEnvironment(Arc<State>);

struct State {
    now_micros: AtomicI64,
    secrets: AtomicU64,
}

impl ManualEnvironment {
    pub(crate) fn new() -> Self {
        Self(Arc::new(State { now_micros: AtomicI64::new(START), secrets: AtomicU64::new(0) }))
    }

    /// Advances the time.
    pub(crate) fn advance_ms(&self, ms: i64) {
        self.0.now_micros.fetch_add(ms * 1_000, Ordering::SeqCst);
    }
}

impl Environment for ManualEnvironment {
    fn now(&self, _: &Journal) -> RecordTime {
        RecordTime(self.0.now_micros.load(Ordering::SeqCst))
    }

    fn secret(&self) -> [u8; 32] {
        let count = self.0.secrets.fetch_add(1, Ordering::SeqCst);
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&count.to_be_bytes());
        bytes
    }

    fn new_match_id(&self) -> MatchId {
        MatchId(Uuid::now_v7())
    }
}
