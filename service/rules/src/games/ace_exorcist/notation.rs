//! Moves and cards as text: `ritual blood-elder`, `attack blade-3 flame-4`, `guard low book-2 high bell-5`.
//! Sets are printed in card order and accepted in any order (G-2).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::cards::{Card, CardSet, MAX_VALUE, Suit};
use super::moves::{Flaw, Kind, Move};
use crate::BadNotation;

const MALFORMED: &str = "malformed";

pub(super) fn print(mv: &Move) -> String {
    let Ok(kind) = mv.kind() else { return words(mv).join(" ") };
    let mut text = String::from(kind.word());
    for word in words(mv) {
        text.push(' ');
        text.push_str(&word);
    }
    text
}

/// Returns the words after the kind.
fn words(mv: &Move) -> Vec<String> {
    match *mv {
        Move::Pass | Move::TakeHit => Vec::new(),
        Move::Ritual(card) => [print_card(card)].into(),
        Move::Attack(cards) | Move::Trade(cards) | Move::Assault(cards) | Move::Heal(cards) => {
            print_cards(cards)
        }
        Move::Guard { low, high } => {
            let end = |name: &str, card: Option<Card>| {
                card.map(|card| [name.to_string(), print_card(card)]).into_iter().flatten()
            };
            end("low", low).chain(end("high", high)).collect()
        }
        Move::Banish { ritual, flush } => {
            let mut words = Vec::from([print_card(ritual), String::from("with")]);
            words.extend(print_cards(flush));
            words
        }
        Move::Malformed(flaw) => Vec::from([MALFORMED, flaw_word(flaw)].map(String::from)),
    }
}

const fn flaw_word(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::NoKind => "no-kind",
        Flaw::MissingCard => "missing-card",
        Flaw::NoSuchCard => "no-such-card",
        Flaw::CardTwice => "card-twice",
    }
}

pub(super) fn print_cards(cards: CardSet) -> Vec<String> {
    cards.iter().map(print_card).collect()
}

/// Returns the card's notation, such as `blade-5` or `blood-elder`.
pub(super) fn print_card(card: Card) -> String {
    let suit = card.suit().name();
    match card.face() {
        Some(face) => format!("{suit}-{face}").to_ascii_lowercase(),
        None => format!("{suit}-{}", card.value()).to_ascii_lowercase(),
    }
}

pub(super) fn parse(text: &str) -> Result<Move, BadNotation> {
    let words: Vec<&str> = text.split(' ').collect();
    read(&words).ok_or_else(|| {
        BadNotation::new(
            "write a move as its kind and cards, for example ritual blood-elder, attack blade-3 flame-4, \
             trade flame-2 blade-2, take-hit, guard low book-2 high bell-5, \
             banish blood-elder with bell-7 bell-archon, assault bell-2, heal bell-2 book-2, pass",
        )
    })
}

fn read(words: &[&str]) -> Option<Move> {
    let (&kind, rest) = words.split_first()?;
    if kind == MALFORMED {
        let flaw = Flaw::ALL.into_iter().find(|flaw| rest == [flaw_word(*flaw)])?;
        return Some(Move::Malformed(flaw));
    }
    Some(match (Kind::of_word(kind)?, rest) {
        (Kind::Pass, []) => Move::Pass,
        (Kind::TakeHit, []) => Move::TakeHit,
        (Kind::Ritual, [card]) => Move::Ritual(parse_card(card)?),
        (Kind::Attack, cards) => Move::Attack(parse_cards(cards)?),
        (Kind::Trade, cards) => Move::Trade(parse_cards(cards)?),
        (Kind::Assault, cards) => Move::Assault(parse_cards(cards)?),
        (Kind::Heal, cards) => Move::Heal(parse_cards(cards)?),
        (Kind::Banish, [ritual, "with", cards @ ..]) => {
            Move::Banish { ritual: parse_card(ritual)?, flush: parse_cards(cards)? }
        }
        (Kind::Guard, []) => Move::Guard { low: None, high: None },
        (Kind::Guard, ["low", card]) => Move::Guard { low: Some(parse_card(card)?), high: None },
        (Kind::Guard, ["high", card]) => Move::Guard { low: None, high: Some(parse_card(card)?) },
        (Kind::Guard, ["low", low, "high", high]) => {
            Move::Guard { low: Some(parse_card(low)?), high: Some(parse_card(high)?) }
        }
        (Kind::Pass | Kind::TakeHit | Kind::Ritual | Kind::Banish | Kind::Guard, _) => return None,
    })
}

/// Parses cards in any order; rejects a repeated card.
fn parse_cards(words: &[&str]) -> Option<CardSet> {
    let mut cards = CardSet::EMPTY;
    for word in words {
        if !cards.insert(parse_card(word)?) {
            return None;
        }
    }
    Some(cards)
}

pub(super) fn parse_card(word: &str) -> Option<Card> {
    let (suit, _) = word.split_once('-')?;
    let suit = Suit::ALL.into_iter().find(|known| known.name().to_ascii_lowercase() == suit)?;
    // Comparing with the printed form leaves each card exactly one notation.
    (1..=MAX_VALUE).filter_map(|value| Card::new(suit, value)).find(|&card| print_card(card) == word)
}
