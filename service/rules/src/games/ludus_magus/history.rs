//! The position history for repetition (G-3, LM-43). States share it with their predecessors. Positions are
//! kept whole, because two different positions can have the same digest.

use alloc::sync::Arc;

use super::board::piece::Kind;
use super::board::place::Plane;
use super::position::{Change, Position};
use crate::Side;

/// The current position and all earlier ones. A position can only recur with the same material, so each
/// material has its own chain, and a lookup searches a single chain.
#[derive(Clone)]
pub(super) struct History {
    /// The head of the chain of the current material.
    latest: Arc<Occurrence>,
    closed: Option<Arc<ClosedChain>>,
}

/// The chain of an earlier material, which a capture or a Conjure changed.
struct ClosedChain {
    latest: Arc<Occurrence>,
    earlier: Option<Arc<ClosedChain>>,
}

/// One occurrence of a position.
struct Occurrence {
    position: Position,
    /// Distinguishes most different positions quickly.
    digest: u64,
    /// The digest of what all positions of the chain have in common.
    material: u64,
    /// Number of occurrences so far, including this one.
    times: u32,
    /// A Bloom filter of the digests in the chain from here on: one of 128 bits per digest, given by
    /// [`mark`]. If a position's bit is clear, it has never occurred and no search is needed.
    marks: u128,
    earlier: Chain,
}

/// Positions of one material, latest first.
struct Chain(Option<Arc<Occurrence>>);

impl History {
    /// Creates the history of a match at its opening.
    pub(super) fn of(opening: &Position) -> Self {
        let latest = Occurrence::after(None, opening, material(opening));
        Self { latest, closed: None }
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> &Position {
        &self.latest.position
    }

    /// Returns how many times the current position has occurred, including now.
    pub(super) fn occurrences(&self) -> u32 {
        self.latest.times
    }

    /// Returns the history extended by the position after the next turn.
    pub(super) fn extended(&self, position: &Position, change: Change) -> Self {
        let now = &self.latest;
        if change == Change::None {
            let latest = Occurrence::after(Some(now), position, now.material);
            return Self { latest, closed: self.closed.clone() };
        }
        let closed = Arc::new(ClosedChain { latest: now.clone(), earlier: self.closed.clone() });
        let material = material(position);
        // Nothing clears the history: the same material may have occurred before.
        let mut past = Some(&closed);
        while let Some(other) = past.filter(|closed| closed.latest.material != material) {
            past = other.earlier.as_ref();
        }
        let latest = Occurrence::after(past.map(|closed| &closed.latest), position, material);
        Self { latest, closed: Some(closed) }
    }
}

impl Occurrence {
    /// Returns the new head of the chain for the position's material.
    fn after(chain: Option<&Arc<Self>>, position: &Position, material: u64) -> Arc<Self> {
        let digest = digest(position);
        let marks = chain.map_or(0, |latest| latest.marks);
        let times = if marks & mark(digest) == 0 { 0 } else { times(chain, digest, position) };
        Arc::new(Self {
            position: *position,
            digest,
            material,
            times: times + 1,
            marks: marks | mark(digest),
            earlier: Chain(chain.cloned()),
        })
    }
}

/// Returns how often the position occurs in the chain.
fn times(chain: Option<&Arc<Occurrence>>, digest: u64, position: &Position) -> u32 {
    let mut next = chain;
    while let Some(past) = next {
        if past.digest == digest && past.position == *position {
            return past.times;
        }
        next = past.earlier.0.as_ref();
    }
    0
}

const fn mark(digest: u64) -> u128 {
    1 << (digest >> 57)
}

// Both lists are dropped link by link: recursive drops would need stack space proportional to their length.

impl Drop for Chain {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut occurrence) = next.and_then(Arc::into_inner) {
            next = occurrence.earlier.0.take();
        }
    }
}

impl Drop for History {
    fn drop(&mut self) {
        let mut next = self.closed.take();
        while let Some(mut closed) = next.and_then(Arc::into_inner) {
            next = closed.earlier.take();
        }
    }
}

// From the fractional part of the golden ratio; any odd number with well mixed bits would do.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(digest: u64, word: u64) -> u64 {
    (digest.rotate_left(23) ^ word).wrapping_mul(MIX)
}

/// Returns a digest of the number of pieces of each kind and the mana.
fn material(position: &Position) -> u64 {
    let mut digest = 0;
    for seat in Side::ALL {
        for kind in Kind::ALL {
            let counts = Plane::ALL.map(|plane| position.board.field(plane).of_kind(seat, kind).count_ones());
            digest = mix(digest, (counts[0] + counts[1]).into());
        }
        digest = mix(digest, position.mana[seat].into());
    }
    digest
}

/// Returns a digest of the position without the material, which is equal within a chain.
fn digest(position: &Position) -> u64 {
    let [one, two] = Plane::ALL.map(|plane| {
        position.board.field(plane).words().into_iter().fold(0, |digest, word| {
            // A plane has 90 bits; the halves overlap in rarely used ones.
            let [low, high] =
                [word & u128::from(u64::MAX), word >> 64].map(|half| u64::try_from(half).unwrap_or(0));
            mix(digest, low ^ high.rotate_left(32))
        })
    });
    mix(mix(one, two), u64::from(position.to_act == Side::One))
}
