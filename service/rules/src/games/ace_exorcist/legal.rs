//! Every legal move of the seat to act in a fixed order: by kind as in the rules, then by cards.

use alloc::vec::Vec;

use super::cards::{Card, CardSet, MAX_VALUE, Suit};
use super::moves::Move;
use super::state::{EXORCIST, HAND_LIMIT, Phase, SUMMONER, State};
use super::{check, ending};
use crate::{Listing, Side, Sides};

/// Returns the seat that moves next; none once the match is over.
pub(super) fn to_act(state: &State) -> Sides {
    if ending::ending(state).is_some() { Sides::NONE } else { Sides::only(state.mover) }
}

/// Capacity that fits nearly all listings.
const TYPICAL_MOVES: usize = 32;

pub(super) fn listing(state: &State, seat: Side) -> Listing<Move> {
    if !to_act(state).contains(seat) {
        return Listing::complete(Vec::new());
    }
    let mut moves = Vec::with_capacity(TYPICAL_MOVES);
    match state.phase() {
        Phase::Summoning => {
            let hand = state.hands[SUMMONER];
            moves.extend(hand.iter().filter(|card| card.face().is_some()).map(Move::Ritual));
            attacks(hand, &mut moves);
            equals(hand, 2..=3, &mut moves, Move::Trade);
            moves.push(Move::Pass);
        }
        Phase::Defending => answers(state, &mut moves),
        Phase::Exorcising => {
            let hand = state.hands[EXORCIST];
            if state.ritual.is_empty() {
                flushes(hand, |flush| moves.push(Move::Assault(flush.cards)));
            } else {
                banishments(hand, state.ritual, &mut moves);
            }
            equals(hand, 2..=2, &mut moves, Move::Heal);
            moves.push(Move::Pass);
        }
    }
    Listing::complete(moves)
}

/// Appends every attack: a straight of number cards (AE-13).
fn attacks(hand: CardSet, moves: &mut Vec<Move>) {
    for card in hand.iter().filter(|card| card.face().is_none()) {
        extend_straight(hand, CardSet::only(card), card.value(), moves);
    }
}

/// Appends the straight that ends at this value, and all its extensions.
fn extend_straight(hand: CardSet, straight: CardSet, highest: u32, moves: &mut Vec<Move>) {
    moves.push(Move::Attack(straight));
    for next in hand.of_value(highest + 1).iter().filter(|card| card.face().is_none()) {
        extend_straight(hand, straight.with(next), highest + 1, moves);
    }
}

/// Appends a move for every set of equal cards with one of these sizes (AE-14, AE-35).
fn equals(
    hand: CardSet,
    counts: core::ops::RangeInclusive<u32>,
    moves: &mut Vec<Move>,
    mv: impl Fn(CardSet) -> Move,
) {
    for value in 1..=MAX_VALUE {
        let cards = hand.of_value(value);
        if cards.len() >= 2 {
            subsets(cards, |subset| {
                if counts.contains(&subset.cards.len()) {
                    moves.push(mv(subset.cards));
                }
            });
        }
    }
}

/// Appends taking the hit, then every guard (AE-20 to AE-22).
fn answers(state: &State, moves: &mut Vec<Move>) {
    moves.push(Move::TakeHit);
    let (lowest, highest) = check::lowest_and_highest(state.attack);
    let guards = |value| state.hands[EXORCIST].of_value(value);
    for low in guards(lowest - 1).iter() {
        moves.push(Move::Guard { low: Some(low), high: None });
    }
    for high in guards(highest + 1).iter() {
        moves.push(Move::Guard { low: None, high: Some(high) });
    }
    if state.attack.len() == 1 {
        return;
    }
    for low in guards(lowest - 1).iter() {
        for high in guards(highest + 1).iter() {
            moves.push(Move::Guard { low: Some(low), high: Some(high) });
        }
    }
}

fn banishments(hand: CardSet, ritual: CardSet, moves: &mut Vec<Move>) {
    for target in ritual.iter() {
        flushes(hand, |flush| {
            if flush.cards.len() >= 2 && flush.strength >= target.value() {
                moves.push(Move::Banish { ritual: target, flush: flush.cards });
            }
        });
    }
}

/// Cards with the sum of their values.
#[derive(Clone, Copy)]
struct ScoredSet {
    cards: CardSet,
    strength: u32,
}

/// Visits every flush, suit by suit (AE-31).
fn flushes(hand: CardSet, mut each: impl FnMut(ScoredSet)) {
    for suit in Suit::ALL {
        let cards = hand.of_suit(suit);
        if !cards.is_empty() {
            subsets(cards, &mut each);
        }
    }
}

/// Visits every non-empty subset of these cards, in binary order: the last card is the most significant.
fn subsets(cards: CardSet, mut each: impl FnMut(ScoredSet)) {
    const MOST: usize = 1 << HAND_LIMIT;
    let mut known = [ScoredSet { cards: CardSet::EMPTY, strength: 0 }; MOST];
    let mut count = 1;
    for card in cards.iter() {
        for index in 0..count {
            let ScoredSet { cards, strength } = known[index];
            let with = ScoredSet { cards: cards.with(card), strength: strength + Card::value(card) };
            known[count + index] = with;
            each(with);
        }
        count *= 2;
    }
}
