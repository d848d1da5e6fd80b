//! Checks one move and names the paragraph that forbids it. The tests follow the order of G-2.

use super::cards::{Card, CardSet};
use super::ending;
use super::moves::{Flaw, Kind, Move};
use super::state::{Phase, State};
use crate::{Illegal, Paragraph, Side};

const AE_6: Paragraph = Paragraph::new("AE-6");
const AE_11: Paragraph = Paragraph::new("AE-11");
const AE_12: Paragraph = Paragraph::new("AE-12");
const AE_13: Paragraph = Paragraph::new("AE-13");
const AE_14: Paragraph = Paragraph::new("AE-14");
const AE_15: Paragraph = Paragraph::new("AE-15");
const AE_20: Paragraph = Paragraph::new("AE-20");
const AE_21: Paragraph = Paragraph::new("AE-21");
const AE_22: Paragraph = Paragraph::new("AE-22");
const AE_31: Paragraph = Paragraph::new("AE-31");
const AE_32: Paragraph = Paragraph::new("AE-32");
const AE_33: Paragraph = Paragraph::new("AE-33");
const AE_35: Paragraph = Paragraph::new("AE-35");

/// Applies the first two tests of G-2.
pub(super) fn check_to_act(state: &State, seat: Side) -> Result<(), Illegal> {
    if ending::ending(state).is_some() {
        return Err(Illegal::match_over());
    }
    if state.mover != seat {
        return Err(Illegal::not_to_act(match state.phase() {
            Phase::Summoning => "it is the Summoner's turn",
            Phase::Defending => "the Exorcist must answer the attack",
            Phase::Exorcising => "it is the Exorcist's turn",
        }));
    }
    Ok(())
}

/// Applies the remaining tests of G-2 to a move of the seat to act.
pub(super) fn check_move(state: &State, mv: &Move) -> Result<(), Illegal> {
    check_kind(state, mv.kind().map_err(malformed)?)?;
    match *mv {
        Move::Ritual(card) => check_ritual(state, card),
        Move::Attack(cards) => check_attack(state, cards),
        Move::Trade(cards) => {
            check_held(state, cards)?;
            check(matches!(cards.len(), 2 | 3), AE_14, "trade exactly two or exactly three cards")?;
            check(are_equal(cards), AE_14, "traded cards must have equal values")
        }
        Move::Guard { low, high } => check_guards(state, low, high),
        Move::Banish { ritual, flush } => check_banish(state, ritual, flush),
        Move::Assault(flush) => {
            check_held(state, flush)?;
            check(!flush.is_empty(), AE_33, "an assault needs at least one card")?;
            check(is_flush(flush), AE_33, "an assault needs cards of one suit")
        }
        Move::Heal(cards) => {
            check_held(state, cards)?;
            check(cards.len() == 2, AE_35, "heal with exactly two cards")?;
            check(are_equal(cards), AE_35, "the two cards must have equal values")
        }
        Move::Pass | Move::TakeHit => Ok(()),
        Move::Malformed(flaw) => Err(malformed(flaw)),
    }
}

fn malformed(flaw: Flaw) -> Illegal {
    Illegal::malformed(match flaw {
        Flaw::NoKind => "the move has no known kind",
        Flaw::MissingCard => "the move lacks a card",
        Flaw::NoSuchCard => "a card needs one of the six suits and a value from 1 to 10",
        Flaw::CardTwice => "a set names a card twice",
    })
}

/// Rejects a kind of move that is not allowed now.
pub(super) fn check_kind(state: &State, kind: Kind) -> Result<(), Illegal> {
    match (state.phase(), kind) {
        (Phase::Summoning, Kind::Ritual | Kind::Attack | Kind::Trade | Kind::Pass)
        | (Phase::Defending, Kind::TakeHit | Kind::Guard)
        | (Phase::Exorcising, Kind::Heal | Kind::Pass) => Ok(()),
        (Phase::Exorcising, Kind::Banish) => {
            check(!state.ritual.is_empty(), AE_32, "there is nothing to banish: the Ritual Space is empty")
        }
        (Phase::Exorcising, Kind::Assault) => {
            let text = "the stack can be assaulted only while the Ritual Space is empty";
            check(state.ritual.is_empty(), AE_33, text)
        }
        (Phase::Summoning, _) => {
            Err(Illegal::new(AE_11, "the Summoner's actions are ritual, attack, trade and pass"))
        }
        (Phase::Defending, _) => Err(Illegal::new(AE_20, "answer the attack by taking the hit or guarding")),
        (Phase::Exorcising, _) => {
            Err(Illegal::new(AE_31, "the Exorcist's actions are banish, assault, heal and pass"))
        }
    }
}

/// Returns the paragraph that describes a kind of move.
pub(super) const fn paragraph(kind: Kind) -> Paragraph {
    match kind {
        Kind::Ritual => AE_12,
        Kind::Attack => AE_13,
        Kind::Trade => AE_14,
        Kind::TakeHit => AE_20,
        Kind::Guard => AE_21,
        Kind::Banish => AE_32,
        Kind::Assault => AE_33,
        Kind::Heal => AE_35,
        Kind::Pass => AE_15,
    }
}

fn check(holds: bool, paragraph: Paragraph, text: &str) -> Result<(), Illegal> {
    if holds { Ok(()) } else { Err(Illegal::new(paragraph, text)) }
}

pub(super) fn check_held(state: &State, cards: CardSet) -> Result<(), Illegal> {
    check(cards.is_within(state.hands[state.mover]), AE_6, "you can play cards only from your own hand")
}

fn check_ritual(state: &State, card: Card) -> Result<(), Illegal> {
    check_held(state, CardSet::only(card))?;
    check(card.face().is_some(), AE_12, "only a face card can go into the Ritual Space")
}

fn check_attack(state: &State, cards: CardSet) -> Result<(), Illegal> {
    check_held(state, cards)?;
    check(!cards.is_empty(), AE_13, "an attack needs at least one card")?;
    check(cards.iter().all(|card| card.face().is_none()), AE_13, "face cards cannot attack")?;
    // The set iterates in order of value.
    let is_straight = cards.iter().zip(cards.iter().skip(1)).all(|(a, b)| a.value() + 1 == b.value());
    check(is_straight, AE_13, "attacking cards must have distinct, consecutive values")
}

fn check_guards(state: &State, low: Option<Card>, high: Option<Card>) -> Result<(), Illegal> {
    let guards: CardSet = low.into_iter().chain(high).collect();
    check(!guards.is_empty(), AE_20, "a guard needs a card; to play none, take the hit")?;
    check_held(state, guards)?;
    let (lowest, highest) = lowest_and_highest(state.attack);
    let is_low = low.is_none_or(|card| card.value() + 1 == lowest);
    check(is_low, AE_21, "a low guard's value is one less than the attack's lowest")?;
    let is_high = high.is_none_or(|card| card.value() == highest + 1);
    check(is_high, AE_21, "a high guard's value is one more than the attack's highest")?;
    if state.attack.len() == 1 && low.is_some() && high.is_some() {
        return Err(superfluous_guard());
    }
    Ok(())
}

/// Refuses two guards against a single card.
pub(super) fn superfluous_guard() -> Illegal {
    Illegal::new(AE_22, "only one guard may be played against a single card")
}

fn check_banish(state: &State, ritual: Card, flush: CardSet) -> Result<(), Illegal> {
    check(state.ritual.contains(ritual), AE_32, "that card is not in the Ritual Space")?;
    check_held(state, flush)?;
    check(flush.len() >= 2, AE_32, "banishing needs at least two cards")?;
    check(is_flush(flush), AE_32, "banishing needs cards of one suit")?;
    check(flush.strength() >= ritual.value(), AE_32, "the cards are weaker than the card to banish")
}

/// Returns whether all cards have the same value.
fn are_equal(cards: CardSet) -> bool {
    cards.first().is_some_and(|first| cards.is_within(cards.of_value(first.value())))
}

/// Returns whether all cards have the same suit (AE-31).
fn is_flush(cards: CardSet) -> bool {
    cards.first().is_some_and(|first| cards.is_within(cards.of_suit(first.suit())))
}

/// Returns the lowest and the highest value of an attack.
pub(super) fn lowest_and_highest(attack: CardSet) -> (u32, u32) {
    let value = |card: Option<Card>| card.expect("an attack has cards (AE-13)").value();
    (value(attack.first()), value(attack.last()))
}
