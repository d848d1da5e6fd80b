//! The deal: the order of both packs before the first draw, and how the seed decides it (AE-7, AE-8).

use super::cards::{Card, CardSet, MAX_VALUE, PACK, Suit};
use crate::{BySide, Dice, Seed, Side};

/// Both packs in order, top first. It gives away every hand and therefore has no `Debug`.
#[derive(Clone, Copy)]
pub struct Deal(pub(super) BySide<[Card; PACK]>);

impl Deal {
    /// Arranges packs in this order, for puzzles and analysis. `None` unless each is the whole pack of its
    /// seat.
    #[must_use]
    pub fn arranged(packs: BySide<[Card; PACK]>) -> Option<Self> {
        let is_whole = |seat: Side| packs[seat].into_iter().collect::<CardSet>() == CardSet::pack(seat);
        Side::ALL.into_iter().all(is_whole).then_some(Self(packs))
    }

    /// Shuffles both packs with the seed.
    #[must_use]
    pub fn shuffled(seed: &Seed) -> Self {
        Self(BySide::new(shuffled(seed, Side::Zero, 0), shuffled(seed, Side::One, 1)))
    }
}

/// Shuffles a pack by AE-8 with the key stream of AE-7; `nonce_end` is the last byte of the nonce.
fn shuffled(seed: &Seed, seat: Side, nonce_end: u8) -> [Card; PACK] {
    let mut dice = Dice::with_nonce_end(seed, nonce_end);
    let mut pack = unshuffled(seat);
    for last in (1..PACK).rev() {
        let count = u32::try_from(last + 1).expect("a pack is small");
        pack.swap(last, dice.below(count) as usize);
    }
    pack
}

/// Returns the pack by suit in the order of AE-1, and by value within a suit.
fn unshuffled(seat: Side) -> [Card; PACK] {
    let suits = Suit::ALL.into_iter().filter(|suit| suit.owner() == seat);
    let mut cards = suits.flat_map(|suit| (1..=MAX_VALUE).filter_map(move |value| Card::new(suit, value)));
    core::array::from_fn(|_| cards.next().expect("three suits of ten make a pack"))
}
