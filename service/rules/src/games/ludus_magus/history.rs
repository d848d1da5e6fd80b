//! The positions that have stood in a match, for repetition (G-3, LM-43). Every state shares the positions with the states
//! before it; each is kept whole, since a mere digest could take two positions for one.

use alloc::sync::Arc;

use super::position::Position;
use crate::BySeat;

/// The positions that stood so far, in a chain for each seat to act: a position can only stand again in its own.
#[derive(Clone)]
pub(super) struct History {
    latest: BySeat<Option<Arc<Standing>>>,
}

/// One time that a position stood.
struct Standing {
    /// Tells most different positions apart at a glance.
    digest: u64,
    position: Position,
    /// How often it had stood by then, this time included.
    times: u32,
    earlier: Option<Arc<Standing>>,
}

impl History {
    pub(super) const EMPTY: Self = Self { latest: BySeat::new(None, None) };

    /// Counts that the position stands once more. The answer is how often it has stood.
    pub(super) fn record(&mut self, position: &Position) -> u32 {
        let digest = digest(position);
        let chain = &mut self.latest[position.to_act];
        let mut next = chain.as_deref();
        let times = loop {
            match next {
                None => break 1,
                Some(past) if past.digest == digest && past.position == *position => break past.times + 1,
                Some(past) => next = past.earlier.as_deref(),
            }
        };
        let earlier = chain.take();
        *chain = Some(Arc::new(Standing { digest, position: *position, times, earlier }));
        times
    }
}

impl Drop for History {
    /// Link by link: to drop a long chain as a whole would take a stack as deep as the chain is long.
    fn drop(&mut self) {
        for seat in crate::Seat::ALL {
            let mut next = self.latest[seat].take();
            while let Some(mut standing) = next.and_then(Arc::into_inner) {
                next = standing.earlier.take();
            }
        }
    }
}

fn digest(position: &Position) -> u64 {
    // From the fractional part of the golden ratio; any odd number with mixed bits would do.
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut digest = 0_u64;
    let mut mix = |word: u64| digest = (digest.rotate_left(23) ^ word).wrapping_mul(MIX);
    for plane in super::place::Plane::ALL {
        for word in position.board.field(plane).words() {
            // A plane has rows of ten bits and at most 90 of them; the upper word is small.
            let [low, high] = [word & u128::from(u64::MAX), word >> 64];
            mix(u64::try_from(low).unwrap_or_default());
            mix(u64::try_from(high).unwrap_or_default());
        }
    }
    for (_, &mana) in position.mana.iter() {
        mix(mana.into());
    }
    digest
}
