//! The whole truth of a position: both packs in order, where each card lies, hit points, whose turn it is. It
//! has no `Debug`, because debug output can reach a log.

use alloc::vec::Vec;

use super::cards::{Card, CardSet, PACK};
use super::deal::Deal;
use crate::{BySide, Side};

/// The rules version of new matches. When a later version changes a paragraph, the code asks the state for
/// its version.
pub(super) const RULES_VERSION: u32 = 1;

pub(super) const SUMMONER: Side = Side::Zero;
pub(super) const EXORCIST: Side = Side::One;

/// Hit points at the start, which are also the maximum (AE-2).
pub(super) const FULL_HIT_POINTS: BySide<u32> = BySide::new(60, 30);
/// Maximum number of cards in a hand (AE-5).
pub(super) const HAND_LIMIT: u32 = 6;
/// Cards drawn before the first turn (AE-4).
const FIRST_HAND: usize = 5;

/// A position of Ace Exorcist.
#[derive(Clone)]
pub struct State {
    pub(super) rules_version: u32,
    /// The packs as dealt; a stack is the remainder of one.
    pub(super) deal: Deal,
    /// Index of each stack's top card in its pack: the number of cards that have left the stack.
    pub(super) stack_top: BySide<usize>,
    pub(super) hands: BySide<CardSet>,
    pub(super) discards: BySide<CardSet>,
    pub(super) ritual: CardSet,
    /// The attack awaiting an answer; empty if there is none.
    pub(super) attack: CardSet,
    pub(super) hit_points: BySide<u32>,
    /// The seat that moves next, unless the match is over.
    pub(super) mover: Side,
    pub(super) latest_assault: Option<AssaultReach>,
    /// Number of consecutive moves, up to now, that changed nothing but the seat to move (AE-41).
    pub(super) idle_moves: u32,
}

/// What an assault did to the Summoner's stack, as indices of the pack.
#[derive(Clone, Copy)]
pub(super) struct AssaultReach {
    pub(super) strength: u32,
    /// Index of the first revealed card.
    pub(super) first: usize,
    /// Number of cards taken.
    pub(super) taken: usize,
}

/// What the seat to act has to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The Summoner takes an action (AE-11).
    Summoning,
    /// The Exorcist answers an attack (AE-20).
    Defending,
    /// The Exorcist takes an action (AE-31).
    Exorcising,
}

impl State {
    /// Returns the position before the first move: each seat has drawn five cards, and the Summoner the first
    /// card of its turn (AE-4).
    #[must_use]
    pub fn opening(deal: &Deal, rules_version: u32) -> Self {
        let stack_top = BySide::new(FIRST_HAND + 1, FIRST_HAND);
        let hand = |seat| deal.0[seat][..stack_top[seat]].iter().copied().collect();
        Self {
            rules_version,
            deal: *deal,
            stack_top,
            hands: BySide::new(hand(SUMMONER), hand(EXORCIST)),
            discards: BySide::default(),
            ritual: CardSet::EMPTY,
            attack: CardSet::EMPTY,
            hit_points: FULL_HIT_POINTS,
            mover: SUMMONER,
            latest_assault: None,
            idle_moves: 0,
        }
    }

    /// Returns the seat's draw stack, top first.
    pub(super) fn stack(&self, seat: Side) -> &[Card] {
        &self.deal.0[seat][self.stack_top[seat]..]
    }

    pub(super) fn phase(&self) -> Phase {
        match self.mover {
            SUMMONER => Phase::Summoning,
            EXORCIST if self.attack.is_empty() => Phase::Exorcising,
            EXORCIST => Phase::Defending,
        }
    }

    /// Returns the cards that an assault took, in order, and the card that it put back, if any.
    pub(super) fn revealed(&self, reach: AssaultReach) -> (&[Card], Option<Card>) {
        let (taken, rest) = self.deal.0[SUMMONER][reach.first..].split_at(reach.taken);
        let total: u32 = taken.iter().map(|card| card.value()).sum();
        let put_back = if total < reach.strength { rest.first().copied() } else { None };
        (taken, put_back)
    }

    /// Returns the top card of the Summoner's stack while an assault has made it known (AE-34).
    pub(super) fn known_top(&self) -> Option<Card> {
        let reach = self.latest_assault?;
        let still_lies_there = self.stack_top[SUMMONER] == reach.first + reach.taken;
        if still_lies_there { self.revealed(reach).1 } else { None }
    }

    /// Returns the bytes for the position's digest. They include hidden parts, which is safe because the
    /// digest is keyed.
    pub(super) fn canonical(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(160);
        bytes.extend(self.rules_version.to_be_bytes());
        bytes.push(match self.phase() {
            Phase::Summoning => 0,
            Phase::Defending => 1,
            Phase::Exorcising => 2,
        });
        bytes.push(byte(self.idle_moves as usize));
        for seat in Side::ALL {
            bytes.push(byte(self.hit_points[seat] as usize));
            write_cards(&mut bytes, self.hands[seat].iter());
            write_cards(&mut bytes, self.stack(seat).iter().copied());
            write_cards(&mut bytes, self.discards[seat].iter());
        }
        write_cards(&mut bytes, self.ritual.iter());
        write_cards(&mut bytes, self.attack.iter());
        if let Some(reach) = self.latest_assault {
            let (taken, put_back) = self.revealed(reach);
            bytes.push(byte(reach.strength as usize));
            write_cards(&mut bytes, taken.iter().copied());
            write_cards(&mut bytes, put_back.into_iter());
            bytes.push(u8::from(self.known_top().is_some()));
        }
        bytes
    }
}

/// Writes the number of cards, then a byte per card.
fn write_cards(bytes: &mut Vec<u8>, cards: impl Iterator<Item = Card>) {
    let start = bytes.len();
    bytes.push(0);
    bytes.extend(cards.map(Card::byte));
    bytes[start] = byte(bytes.len() - start - 1);
}

fn byte(number: usize) -> u8 {
    debug_assert!(number <= 2 * PACK);
    u8::try_from(number).expect("counts and hit points are at most 60")
}
