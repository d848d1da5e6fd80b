//! The positions that have stood in a match, for repetition (G-3, LM-43). A state shares them with the states before it;
//! each is kept whole, since a mere digest could take two positions for one.

use alloc::sync::Arc;

use super::piece::Kind;
use super::place::Plane;
use super::position::Position;
use crate::{BySeat, Seat};

/// The positions that stood so far. A position can only stand again with the same material and the same seat to act, so
/// there is a chain of positions for each of those, and a look back goes through one chain.
#[derive(Clone)]
pub(super) struct History {
    /// The chains of the present material, by the seat to act.
    latest: BySeat<Chain>,
    material: u64,
    closed: Option<Arc<Closed>>,
}

/// The chains of a material that a capture or a Conjure has changed since.
struct Closed {
    material: u64,
    latest: BySeat<Chain>,
    earlier: Option<Arc<Closed>>,
}

/// Positions of one material and one seat to act, the latest first.
#[derive(Clone)]
struct Chain(Option<Arc<Standing>>);

/// One time that a position stood.
struct Standing {
    /// Tells most different positions apart at a glance.
    digest: u64,
    position: Position,
    /// How often it had stood by then, this time included.
    times: u32,
    earlier: Chain,
}

impl History {
    /// The history of a match that has not begun.
    pub(super) fn before(opening: &Position) -> Self {
        Self { latest: BySeat::new(Chain::EMPTY, Chain::EMPTY), material: material(opening), closed: None }
    }

    /// Tells of a capture or a Conjure, before the position after it is recorded.
    pub(super) fn change_material(&mut self, position: &Position) {
        let earlier = self.closed.take();
        let closed = Closed { material: self.material, latest: self.latest.clone(), earlier };
        self.closed = Some(Arc::new(closed));
        self.material = material(position);
        // Nothing clears the history: the same material may have been there before.
        let mut past = self.closed.as_deref();
        while let Some(closed) = past.filter(|closed| closed.material != self.material) {
            past = closed.earlier.as_deref();
        }
        self.latest = past.map_or(BySeat::new(Chain::EMPTY, Chain::EMPTY), |closed| closed.latest.clone());
    }

    /// Counts that the position stands once more. The answer is how often it has stood.
    pub(super) fn record(&mut self, position: &Position) -> u32 {
        let digest = digest(position);
        let chain = &mut self.latest[position.to_act];
        let times = 1 + chain.times(digest, position);
        let earlier = Chain(chain.0.take());
        *chain = Chain(Some(Arc::new(Standing { digest, position: *position, times, earlier })));
        times
    }
}

impl Chain {
    const EMPTY: Self = Self(None);

    /// How often the position has stood.
    fn times(&self, digest: u64, position: &Position) -> u32 {
        let mut next = self.0.as_deref();
        while let Some(past) = next {
            if past.digest == digest && past.position == *position {
                return past.times;
            }
            next = past.earlier.0.as_deref();
        }
        0
    }
}

// Both lists are dropped link by link: as a whole they would take a stack as deep as they are long.

impl Drop for Chain {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut standing) = next.and_then(Arc::into_inner) {
            next = standing.earlier.0.take();
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

/// Equal for equal positions. The material and the seat to act need not go in: they are equal in a chain.
fn digest(position: &Position) -> u64 {
    let [one, two] = Plane::ALL.map(|plane| {
        position.board.field(plane).words().into_iter().fold(0, |digest, word| {
            // A plane has 90 bits; its halves overlap in what is seldom used.
            let [low, high] =
                [word & u128::from(u64::MAX), word >> 64].map(|half| u64::try_from(half).unwrap_or(0));
            mix(digest, low ^ high.rotate_left(32))
        })
    });
    mix(one, two)
}
