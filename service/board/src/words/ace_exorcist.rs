//! Cards and moves of Ace Exorcist in words.

use wire::games::ace_exorcist::v1::fact::Fact as Kind;
use wire::games::ace_exorcist::v1::{self as game, AssaultResult, Card, Side, Suit, r#move};
use wire::v1::{Fact, MatchStatus, MoveMade, SeatStatus, View, fact};

use super::seats;

/// Returns what the match waits for: `Exorcist answers an attack`, `Summoner's turn`, `over`.
pub(crate) fn activity(view: &View, table: &game::View) -> String {
    let acting = view.to_act.first().copied();
    match (view.status(), acting) {
        (MatchStatus::Over, _) | (_, None) => "over".to_owned(),
        (_, Some(seat)) if !table.attack.is_empty() => {
            format!("{} answers an attack", seats::title(&view.seats, seat))
        }
        (_, Some(seat)) => format!("{}'s turn", seats::title(&view.seats, seat)),
    }
}

/// Returns the name of a card: `Blade 3`, `Elder of Blood (10)`.
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

/// Returns the name of a face card's rank, which depends on the deck; `None` for number cards.
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

/// Returns the names of cards, or `none`.
pub(crate) fn list(cards: &[Card]) -> String {
    if cards.is_empty() {
        return "none".to_owned();
    }
    cards.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Returns a number of cards: `1 card`, `5 cards`.
pub(crate) fn count(cards: u32) -> String {
    match cards {
        1 => "1 card".to_owned(),
        more => format!("{more} cards"),
    }
}

/// Returns the sum of the cards' values.
pub(crate) fn total(cards: &[Card]) -> u32 {
    cards.iter().map(|card| card.value).fold(0, u32::saturating_add)
}

/// Returns the result of an assault: `strength 7 took Flame 2, Flame 3 and put back Flame 4`.
pub(crate) fn assault(result: &AssaultResult) -> String {
    let taken = if result.taken.is_empty() { "nothing".to_owned() } else { list(&result.taken) };
    let put_back = result.put_back.as_ref().map(|card| format!(" and put back {}", name(card)));
    format!("strength {} took {taken}{}", result.strength, put_back.unwrap_or_default())
}

/// Describes a move by its facts; `None` if none of them is of this game or worth a word.
pub(super) fn move_line(made: &MoveMade, facts: &[Fact], seats: &[SeatStatus]) -> Option<String> {
    let facts = facts.iter().filter_map(|fact| match &fact.game {
        Some(fact::Game::AceExorcist(game::Fact { fact: Some(fact) })) => Some(fact),
        _ => None,
    });
    let mut parts: Vec<String> = move_without_cards(made, seats).into_iter().collect();
    parts.extend(facts.filter_map(fact_line));
    if parts.is_empty() { None } else { Some(parts.join("; ")) }
}

/// Describes a move that plays no card, which no fact mentions.
fn move_without_cards(made: &MoveMade, seats: &[SeatStatus]) -> Option<String> {
    let wire::v1::r#move::Game::AceExorcist(own) = made.r#move.as_ref()?.game.as_ref()? else { return None };
    let title = seats::title(seats, made.seat);
    match own.kind.as_ref()? {
        r#move::Kind::PassTurn(_) => Some(format!("{title} passes")),
        r#move::Kind::TakeHit(_) => Some(format!("{title} takes the hit")),
        _ => None,
    }
}

fn fact_line(fact: &Kind) -> Option<String> {
    Some(match fact {
        // The facts that follow imply these.
        Kind::TurnBegan(_) | Kind::AttackDiscarded(_) => return None,
        Kind::TurnSkipped(_) => "Exorcist skips a turn".to_owned(),
        Kind::Drew(drew) => {
            let card = drew.card.as_ref().map_or("a card".to_owned(), name);
            format!("{} draws {card}", side(drew.side()))
        }
        Kind::HandFull(full) => format!("{}'s hand is full", side(full.side())),
        Kind::Played(played) => format!("{} plays {}", side(played.side()), list(&played.cards)),
        Kind::RitualPlayed(ritual) => {
            format!("Summoner plays {} into the Ritual Space", list(ritual.card.as_slice()))
        }
        Kind::Attacked(attack) => {
            format!("Summoner attacks with {}, total {}", list(&attack.cards), total(&attack.cards))
        }
        Kind::Guarded(guarded) => {
            let low = guarded.low.as_ref().map(|card| format!("the low end with {}", name(card)));
            let high = guarded.high.as_ref().map(|card| format!("the high end with {}", name(card)));
            let ends: Vec<String> = low.into_iter().chain(high).collect();
            format!("Exorcist guards {}", ends.join(" and "))
        }
        Kind::Banished(banished) => format!("{} is banished", list(banished.card.as_slice())),
        Kind::Assaulted(assaulted) => {
            format!("an assault of {}", assaulted.result.as_ref().map(assault).unwrap_or_default())
        }
        Kind::Damaged(damaged) if damaged.damage == 0 => "no damage".to_owned(),
        Kind::Damaged(damaged) => {
            format!("{} takes {} damage, {} left", side(damaged.side()), damaged.damage, damaged.hit_points)
        }
        Kind::Healed(healed) => format!("Exorcist heals {}, has {}", healed.healing, healed.hit_points),
    })
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Summoner => "Summoner",
        Side::Exorcist => "Exorcist",
        Side::Unspecified => "an unknown side",
    }
}
