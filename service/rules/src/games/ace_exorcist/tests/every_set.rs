//! AE-11, AE-20 and AE-31, literally: in positions of random play, tries every set of cards of a hand in
//! every kind of move and judges it by a second reading of the paragraphs.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use crate::games::ace_exorcist::{AceExorcist, Card, CardSet, Move, Options, State};
use crate::{Dice, Game, Seed};

fn subsets(hand: CardSet) -> Vec<CardSet> {
    let cards: Vec<Card> = hand.iter().collect();
    let chosen = |mask: usize| (0..cards.len()).filter(move |place| mask >> place & 1 == 1);
    (0..1_usize << cards.len()).map(|mask| chosen(mask).map(|place| cards[place]).collect()).collect()
}

fn values(cards: CardSet) -> Vec<u32> {
    let mut values: Vec<_> = cards.iter().map(Card::value).collect();
    values.sort_unstable();
    values
}

fn is_legal(state: &State, mv: Move) -> bool {
    let is_summoner = state.mover == super::SUMMONER;
    let is_defence = !state.attack.is_empty();
    let is_exorcist = !is_summoner && !is_defence;
    let is_flush = |cards: CardSet| cards.iter().map(Card::suit).collect::<BTreeSet<_>>().len() == 1;
    let is_equal = |cards: CardSet| values(cards).iter().collect::<BTreeSet<_>>().len() == 1;
    match mv {
        Move::Ritual(card) => is_summoner && [1, 8, 9, 10].contains(&card.value()),
        Move::Attack(cards) => {
            let values = values(cards);
            let is_straight = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            is_summoner
                && is_straight
                && !values.is_empty()
                && values.iter().all(|value| (2..=7).contains(value))
        }
        Move::Trade(cards) => is_summoner && [2, 3].contains(&cards.len()) && is_equal(cards),
        Move::TakeHit => is_defence,
        Move::Guard { low, high } => {
            let attack = values(state.attack);
            let (Some(first), Some(last)) = (attack.first(), attack.last()) else { return false };
            let cards = [low, high].iter().flatten().count();
            is_defence
                && (cards == 1 || (cards == 2 && attack.len() > 1))
                && low.is_none_or(|card| card.value() == first - 1)
                && high.is_none_or(|card| card.value() == last + 1)
        }
        Move::Banish { ritual, flush } => {
            let is_strong = values(flush).iter().sum::<u32>() >= ritual.value();
            is_exorcist && state.ritual.contains(ritual) && flush.len() >= 2 && is_flush(flush) && is_strong
        }
        Move::Assault(flush) => is_exorcist && state.ritual.is_empty() && is_flush(flush),
        Move::Heal(cards) => is_exorcist && cards.len() == 2 && is_equal(cards),
        Move::Pass => !is_defence,
        Move::Malformed(_) => false,
    }
}

/// Returns every move that names only cards of the hand and of the Ritual Space.
fn possible_moves(state: &State) -> Vec<Move> {
    let hand = state.hands[state.mover];
    let mut moves = vec![Move::Pass, Move::TakeHit];
    moves.extend(hand.iter().map(Move::Ritual));
    for cards in subsets(hand) {
        moves.extend([Move::Attack(cards), Move::Trade(cards), Move::Assault(cards), Move::Heal(cards)]);
        moves.extend(state.ritual.iter().map(|ritual| Move::Banish { ritual, flush: cards }));
    }
    let guards: Vec<_> = hand.iter().map(Some).chain([None]).collect();
    for &low in &guards {
        moves.extend(guards.iter().map(|&high| Move::Guard { low, high }));
    }
    moves
}

#[test]
fn the_listing_is_all_that_the_paragraphs_allow() {
    for byte in 0..60 {
        let seed = Seed::new([byte; 32]);
        let mut dice = Dice::new(&seed);
        let mut state = AceExorcist::setup(&Options, &seed).expect("there are no options");
        while let Some(seat) = AceExorcist::to_act(&state).iter().next() {
            let listed: BTreeSet<Move> = AceExorcist::legal(&state, seat).moves.into_iter().collect();
            let imagined = possible_moves(&state);
            let allowed: BTreeSet<Move> =
                imagined.iter().copied().filter(|&mv| is_legal(&state, mv)).collect();
            assert_eq!(listed, allowed);
            for mv in imagined {
                assert_eq!(AceExorcist::play(&state, seat, &mv).is_ok(), allowed.contains(&mv), "{mv:?}");
            }
            let mv = AceExorcist::sample(&state, seat, &mut dice).expect("a seat to act has a move");
            state = AceExorcist::play(&state, seat, &mv).expect("a sampled move is legal").state;
        }
    }
}

/// Checks that each card lies in exactly one place and no count leaves its range (AE-2, AE-3, AE-5).
#[test]
fn cards_are_neither_lost_nor_duplicated() {
    for byte in 0..60 {
        let seed = Seed::new([byte; 32]);
        let mut dice = Dice::new(&seed);
        let mut state = AceExorcist::setup(&Options, &seed).expect("there are no options");
        while let Some(seat) = AceExorcist::to_act(&state).iter().next() {
            let mv = AceExorcist::sample(&state, seat, &mut dice).expect("a seat to act has a move");
            state = AceExorcist::play(&state, seat, &mv).expect("a sampled move is legal").state;
            for owner in crate::Side::ALL {
                let stack = state.stack(owner).iter().copied().collect();
                let mut zones = vec![state.hands[owner], state.discards[owner], stack];
                if owner == super::SUMMONER {
                    zones.extend([state.ritual, state.attack]);
                }
                assert_eq!(zones.iter().map(|zone| zone.len()).sum::<u32>(), 30);
                assert_eq!(zones.into_iter().fold(CardSet::EMPTY, CardSet::union), CardSet::pack(owner));
                assert!(state.hands[owner].len() <= 6);
            }
            assert!(state.hit_points[super::SUMMONER] <= 60 && state.hit_points[super::EXORCIST] <= 30);
        }
    }
}
