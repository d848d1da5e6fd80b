//! Earlier positions of a live match, so that a look at the past need not fold the log from its first event.

use std::sync::Arc;

use event::Seq;
use replay::Position;

/// Maximum checkpoints of a match. Beyond it, every other one is dropped and the distance doubles.
const MAX_CHECKPOINTS: usize = 64;

/// Positions of one history of a match, at about equal distances. They share most of their memory with each
/// other and with the head. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Checkpoints {
    interval: u32,
    /// Oldest first.
    positions: Arc<Vec<Arc<Position>>>,
}

impl Checkpoints {
    /// Returns no checkpoints yet, to be kept this many events apart while the match has few.
    pub(super) fn every(interval: u32) -> Self {
        Self { interval, positions: Arc::default() }
    }

    /// Adds the first position, to be kept for good: of a fork it is the longest to fold, as it has all moves
    /// of its parent.
    pub(super) fn add_first(&mut self, position: &Arc<Position>) {
        Arc::make_mut(&mut self.positions).push(Arc::clone(position));
    }

    /// Adds the newest position, if it is far enough from the last checkpoint.
    pub(super) fn add(&mut self, position: &Arc<Position>) {
        let last = self.positions.last().map_or(0, |last| last.seq().0);
        if position.seq().0 < last.saturating_add(self.interval) {
            return;
        }
        let positions = Arc::make_mut(&mut self.positions);
        positions.push(Arc::clone(position));
        if positions.len() > MAX_CHECKPOINTS {
            self.interval = self.interval.saturating_mul(2);
            let mut number = 0;
            positions.retain(|position| {
                number += 1;
                number % 2 == 0 || position.seq() == Seq::FIRST
            });
        }
    }

    /// Returns the number of positions.
    pub(super) fn count(&self) -> usize {
        self.positions.len()
    }

    /// Returns the newest checkpoint up to event `seq`, if there is one.
    pub(super) fn before(&self, seq: Seq) -> Option<&Arc<Position>> {
        let later = self.positions.partition_point(|position| position.seq() <= seq);
        self.positions[..later].last()
    }
}
