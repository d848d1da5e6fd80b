//! The positions that have stood in a match, for repetition (G-3, LM-43). A state shares them with the states before it;
//! each is kept whole, since a mere digest could take two positions for one.

use alloc::sync::Arc;

use super::board::piece::Kind;
use super::board::place::Plane;
use super::position::{Change, Position};
use crate::Seat;

/// The position that stands and those that stood before. A position can only stand again with the same material, so there
/// is a chain of positions for each material, and a look back goes through one chain.
#[derive(Clone)]
pub(super) struct History {
    /// The head of the chain of the present material.
    latest: Arc<Occurrence>,
    closed: Option<Arc<ClosedChain>>,
}

/// The chain of a material that a capture or a Conjure has changed since.
struct ClosedChain {
    latest: Arc<Occurrence>,
    earlier: Option<Arc<ClosedChain>>,
}

/// One time that a position stood.
struct Occurrence {
    position: Position,
    /// Tells most different positions apart at a glance.
    digest: u64,
    /// The same for what all positions of the chain have in common.
    material: u64,
    /// How often it had stood by then, this time included.
    times: u32,
    /// A bit for each digest in the chain from here on, of the 128 that [`mark`] can give. Where a position's bit is not
    /// set, it has never stood, and nobody need look.
    marks: u128,
    earlier: Chain,
}

/// Positions of one material, the latest first.
struct Chain(Option<Arc<Occurrence>>);

impl History {
    /// The history of a match that has not begun.
    pub(super) fn of(opening: &Position) -> Self {
        let latest = Occurrence::after(None, opening, material(opening));
        Self { latest, closed: None }
    }

    /// The position that stands.
    pub(super) fn position(&self) -> &Position {
        &self.latest.position
    }

    /// How often it has stood, this time included.
    pub(super) fn stood(&self) -> u32 {
        self.latest.times
    }

    /// The history once the position stands that the next turn led to.
    pub(super) fn extended(&self, position: &Position, change: Change) -> Self {
        let now = &self.latest;
        if change == Change::None {
            let latest = Occurrence::after(Some(now), position, now.material);
            return Self { latest, closed: self.closed.clone() };
        }
        let closed = Arc::new(ClosedChain { latest: now.clone(), earlier: self.closed.clone() });
        let material = material(position);
        // Nothing clears the history: the same material may have been there before.
        let mut past = Some(&closed);
        while let Some(other) = past.filter(|closed| closed.latest.material != material) {
            past = other.earlier.as_ref();
        }
        let latest = Occurrence::after(past.map(|closed| &closed.latest), position, material);
        Self { latest, closed: Some(closed) }
    }
}

impl Occurrence {
    /// The position at the head of the chain of its material.
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

/// How often the position has stood in the chain.
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

// Both lists are dropped link by link: as a whole they would take a stack as deep as they are long.

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

// From the fractional part of the golden ratio; any odd number with mixed bits would do.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(digest: u64, word: u64) -> u64 {
    (digest.rotate_left(23) ^ word).wrapping_mul(MIX)
}

/// Equal for positions with as many pieces of each kind and as much mana.
fn material(position: &Position) -> u64 {
    let mut digest = 0;
    for seat in Seat::ALL {
        for kind in Kind::ALL {
            let counts = Plane::ALL.map(|plane| position.board.field(plane).of_kind(seat, kind).count_ones());
            digest = mix(digest, (counts[0] + counts[1]).into());
        }
        digest = mix(digest, position.mana[seat].into());
    }
    digest
}

/// Equal for equal positions. The material need not go in: it is equal in a chain.
fn digest(position: &Position) -> u64 {
    let [one, two] = Plane::ALL.map(|plane| {
        position.board.field(plane).words().into_iter().fold(0, |digest, word| {
            // A plane has 90 bits; its halves overlap in what is seldom used.
            let [low, high] =
                [word & u128::from(u64::MAX), word >> 64].map(|half| u64::try_from(half).unwrap_or(0));
            mix(digest, low ^ high.rotate_left(32))
        })
    });
    mix(mix(one, two), u64::from(position.to_act == Seat::One))
}
