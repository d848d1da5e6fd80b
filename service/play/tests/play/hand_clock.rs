//! A clock that a test turns by hand, and randomness that repeats itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use journal::Journal;
use play::Surroundings;
use uuid::Uuid;

const START: i64 = 1_790_000_000_000_000;

/// Time stands still until it is let go on.
#[derive(Clone)]
pub(crate) struct HandClock(Arc<Hands>);

struct Hands {
    micros: AtomicI64,
    drawn: AtomicU64,
}

impl HandClock {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Hands { micros: AtomicI64::new(START), drawn: AtomicU64::new(0) }))
    }

    pub(crate) fn pass_ms(&self, ms: i64) {
        self.0.micros.fetch_add(ms * 1_000, Ordering::SeqCst);
    }
}

impl Surroundings for HandClock {
    fn now(&self, _: &Journal) -> i64 {
        self.0.micros.load(Ordering::SeqCst)
    }

    fn secret(&self) -> [u8; 32] {
        let drawn = self.0.drawn.fetch_add(1, Ordering::SeqCst);
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&drawn.to_be_bytes());
        bytes
    }

    fn new_match_id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
