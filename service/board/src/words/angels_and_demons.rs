//! Turns of Angels and Demons in words.

use wire::games::angels_and_demons::v1 as game;
use wire::v1::{Fact, SeatStatus, TurnRevealed, fact};

use super::seats;
use crate::printable;

/// Returns the end of the turn that these facts resolve, if they resolve one.
pub(crate) fn resolved_turn(facts: &[Fact]) -> Option<game::TurnResolved> {
    own_facts(facts).find_map(|fact| match fact {
        game::fact::Fact::TurnResolved(end) => Some(*end),
        _ => None,
    })
}

/// Returns the facts of this game.
pub(crate) fn own_facts(facts: &[Fact]) -> impl Iterator<Item = &game::fact::Fact> {
    facts.iter().filter_map(|fact| match fact.game.as_ref()? {
        fact::Game::AngelsAndDemons(game::Fact { fact }) => fact.as_ref(),
        _ => None,
    })
}

/// Describes a resolved turn: both choices, how many spaces changed, and the counts.
pub(super) fn turn_revealed(turn: &TurnRevealed, facts: &[Fact], seats: &[SeatStatus]) -> String {
    let choices: Vec<String> = turn
        .moves
        .iter()
        .map(|revealed| format!("{} {}", seats::title(seats, revealed.seat), printable(&revealed.notation)))
        .collect();
    let choices = choices.join(", ");
    let Some(end) = resolved_turn(facts) else { return format!("Both choices revealed: {choices}") };
    let changed = own_facts(facts).filter(|fact| matches!(fact, game::fact::Fact::Changed(_))).count();
    let spaces = match changed {
        0 => "nothing changes".to_owned(),
        1 => "1 space changes".to_owned(),
        more => format!("{more} spaces change"),
    };
    format!("Turn {}: {choices}; {spaces}; Angels {}, Demons {}", end.turn, end.angels, end.demons)
}
