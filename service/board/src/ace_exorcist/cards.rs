//! The cards of Ace Exorcist in words.

use wire::games::ace_exorcist::v1::{AssaultResult, Card, Suit};

/// A card: `Blade 3`, `Elder of Blood (10)`.
pub(crate) fn name(card: &Card) -> String {
    let suit = match card.suit() {
        Suit::Blood => "Blood",
        Suit::Blade => "Blade",
        Suit::Flame => "Flame",
        Suit::Bell => "Bell",
        Suit::Book => "Book",
        Suit::Candle => "Candle",
        Suit::Unspecified => "?",
    };
    match face(card) {
        Some(face) => format!("{face} of {suit} ({})", card.value),
        None => format!("{suit} {}", card.value),
    }
}

/// What its owner calls a card, if it is a face card.
pub(crate) fn face(card: &Card) -> Option<&'static str> {
    let is_summoners = matches!(card.suit(), Suit::Blood | Suit::Blade | Suit::Flame);
    Some(match (card.value, is_summoners) {
        (10, true) => "Elder",
        (10, false) => "Archon",
        (9, true) => "Daemon",
        (9, false) => "Seraph",
        (8, true) => "Beast",
        (8, false) => "Deva",
        (1, true) => "Imp",
        (1, false) => "Angel",
        _ => return None,
    })
}

/// Some cards, or that there are none.
pub(crate) fn list(cards: &[Card]) -> String {
    if cards.is_empty() {
        return "none".to_owned();
    }
    cards.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The sum of the values.
pub(crate) fn total(cards: &[Card]) -> u32 {
    cards.iter().map(|card| card.value).fold(0, u32::saturating_add)
}

/// What an assault did: `strength 7 took Flame 2, Flame 3 and put back Flame 4`.
pub(crate) fn assault(result: &AssaultResult) -> String {
    let taken = if result.taken.is_empty() { "nothing".to_owned() } else { list(&result.taken) };
    let put_back = result.put_back.as_ref().map(|card| format!(" and put back {}", name(card)));
    format!("strength {} took {taken}{}", result.strength, put_back.unwrap_or_default())
}
