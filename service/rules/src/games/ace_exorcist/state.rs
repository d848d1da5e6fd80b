//! The whole truth of a position: both packs in order, where each card lies, hit points, whose turn it is. It has no
//! `Debug`, since it could reach a log.

use alloc::vec::Vec;

use super::cards::{Card, CardSet, PACK};
use super::deal::Deal;
use crate::{BySeat, Seat};

/// The rules that a new match is played by. A later version that changes a paragraph asks the state's own.
pub(super) const RULES_VERSION: u32 = 1;

pub(super) const SUMMONER: Seat = Seat::Zero;
pub(super) const EXORCIST: Seat = Seat::One;

/// AE-2.
pub(super) const FULL_HIT_POINTS: BySeat<u32> = BySeat::new(60, 30);
/// AE-5.
pub(super) const HAND_LIMIT: u32 = 6;
/// Cards drawn before the first turn (AE-4).
const FIRST_HAND: usize = 5;

/// A position of Ace Exorcist.
#[derive(Clone)]
pub struct State {
    pub(super) rules_version: u32,
    /// The packs as they were dealt; a stack is what is left of one.
    pub(super) deal: Deal,
    /// How many cards of each pack are no longer on the stack: the place of its top card.
    pub(super) stack_top: BySeat<usize>,
    pub(super) hands: BySeat<CardSet>,
    pub(super) discards: BySeat<CardSet>,
    pub(super) ritual: CardSet,
    /// The attack that awaits its answer; empty if none does.
    pub(super) attack: CardSet,
    pub(super) hit_points: BySeat<u32>,
    /// Who moves next, unless the match is over.
    pub(super) mover: Seat,
    pub(super) latest_assault: Option<AssaultReach>,
    /// How many moves in a row, up to now, left everything as it was but who is to move (AE-41).
    pub(super) idle_moves: u32,
}

/// What an assault did to the Summoner's stack, as places in the pack.
#[derive(Clone, Copy)]
pub(super) struct AssaultReach {
    pub(super) strength: u32,
    /// The place of the first card that was revealed.
    pub(super) first: usize,
    /// How many cards were taken.
    pub(super) taken: usize,
}

/// What the seat that is to act has to do.
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
    /// The position before the first move of a match with these packs: five cards drawn by each seat, and the Summoner's
    /// first draw done (AE-4).
    #[must_use]
    pub fn opening(deal: &Deal) -> Self {
        let stack_top = BySeat::new(FIRST_HAND + 1, FIRST_HAND);
        let hand = |seat| deal.0[seat][..stack_top[seat]].iter().copied().collect();
        Self {
            rules_version: RULES_VERSION,
            deal: *deal,
            stack_top,
            hands: BySeat::new(hand(SUMMONER), hand(EXORCIST)),
            discards: BySeat::default(),
            ritual: CardSet::EMPTY,
            attack: CardSet::EMPTY,
            hit_points: FULL_HIT_POINTS,
            mover: SUMMONER,
            latest_assault: None,
            idle_moves: 0,
        }
    }

    /// The seat's draw stack, top first.
    pub(super) fn stack(&self, seat: Seat) -> &[Card] {
        &self.deal.0[seat][self.stack_top[seat]..]
    }

    pub(super) fn phase(&self) -> Phase {
        match self.mover {
            SUMMONER => Phase::Summoning,
            EXORCIST if self.attack.is_empty() => Phase::Exorcising,
            EXORCIST => Phase::Defending,
        }
    }

    /// The cards that an assault took, in order, and the card that it put back, if any.
    pub(super) fn revealed(&self, reach: AssaultReach) -> (&[Card], Option<Card>) {
        let (taken, rest) = self.deal.0[SUMMONER][reach.first..].split_at(reach.taken);
        let total: u32 = taken.iter().map(|card| card.value()).sum();
        let put_back = if total < reach.strength { rest.first().copied() } else { None };
        (taken, put_back)
    }

    /// The card on top of the Summoner's stack, while an assault has shown it to all (AE-34).
    pub(super) fn known_top(&self) -> Option<Card> {
        let reach = self.latest_assault?;
        let still_lies_there = self.stack_top[SUMMONER] == reach.first + reach.taken;
        if still_lies_there { self.revealed(reach).1 } else { None }
    }

    /// The bytes of the position's digest, hidden parts included: the digest is keyed.
    pub(super) fn canonical(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(160);
        bytes.extend(self.rules_version.to_be_bytes());
        bytes.push(match self.phase() {
            Phase::Summoning => 0,
            Phase::Defending => 1,
            Phase::Exorcising => 2,
        });
        bytes.push(byte(self.idle_moves as usize));
        for seat in Seat::ALL {
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

/// How many cards, then a byte for each.
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
