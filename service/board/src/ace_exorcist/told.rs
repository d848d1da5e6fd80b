//! A move of Ace Exorcist and what it brought about, in one line.

use wire::games::ace_exorcist::v1::fact::Fact as Kind;
use wire::games::ace_exorcist::v1::{self as game, Side, r#move};
use wire::v1::{Fact, MoveMade, SeatStatus, fact};

use super::cards::{assault, list, name, total};
use crate::seats;

/// The move in words; none if there is nothing of this game to tell.
pub(crate) fn told(made: &MoveMade, facts: &[Fact], seats: &[SeatStatus]) -> Option<String> {
    let steps = facts.iter().filter_map(|fact| match &fact.game {
        Some(fact::Game::AceExorcist(game::Fact { fact: Some(step) })) => Some(step),
        _ => None,
    });
    let mut parts: Vec<String> = quiet_beginning(made, seats).into_iter().collect();
    parts.extend(steps.filter_map(step));
    if parts.is_empty() { None } else { Some(parts.join("; ")) }
}

/// What is said of moves that play no card.
fn quiet_beginning(made: &MoveMade, seats: &[SeatStatus]) -> Option<String> {
    let wire::v1::r#move::Game::AceExorcist(own) = made.r#move.as_ref()?.game.as_ref()? else { return None };
    let title = seats::title(seats, made.seat());
    match own.kind.as_ref()? {
        r#move::Kind::Pass(_) => Some(format!("{title} passes")),
        r#move::Kind::TakeHit(_) => Some(format!("{title} takes the hit")),
        _ => None,
    }
}

fn step(step: &Kind) -> Option<String> {
    Some(match step {
        // These go without saying.
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
            format!("Summoner attacks with {}, together {}", list(&attack.cards), total(&attack.cards))
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
        Side::Unspecified => "somebody",
    }
}
