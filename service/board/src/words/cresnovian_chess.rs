//! Pieces and turns of Sticky Cresnovian Chess in words.

use wire::games::cresnovian_chess::v1 as game;

use crate::printable;

/// Returns what the end of a turn adds to its event line; empty for other facts.
pub(super) fn effect(fact: &game::Fact) -> String {
    match &fact.fact {
        Some(game::fact::Fact::TurnTaken(end)) => {
            format!("; turn {}, Player One {}Q, Player Two {}Q", end.turn, end.player_one_q, end.player_two_q)
        }
        _ => String::new(),
    }
}

/// Returns what the drawn field does not show: the whole word on it, and what this turn may not do.
pub(crate) fn remarks(board: &game::View) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(word) = board.field.as_ref().and_then(|field| field.word.as_ref()) {
        let at = word.square.unwrap_or_default();
        let word = printable(&word.word);
        remarks.push(format!("The word on {},{} is \u{201c}{word}\u{201d}.", at.row, at.col));
    }
    if board.locked.is_some() {
        remarks.push(format!("{} has just traveled and is locked.", name(board.locked())));
    }
    if let Some(forbidden) = &board.forbidden {
        remarks.push(format!("Rewound and forbidden this turn: {}.", deed(forbidden)));
    }
    remarks
}

fn deed(deed: &game::Deed) -> String {
    match deed.deed {
        Some(game::deed::Deed::Travel(piece)) => format!("traveling with {}", name(umbration(piece))),
        Some(game::deed::Deed::Perform(piece)) => format!("performing with {}", name(umbration(piece))),
        Some(game::deed::Deed::Document(_)) => "documenting".to_owned(),
        Some(game::deed::Deed::PassTurn(_)) => "passing".to_owned(),
        None => "a turn that this version does not know".to_owned(),
    }
}

/// Returns the umbration with this number of the enumeration; unspecified if there is none.
pub(crate) fn umbration(number: i32) -> game::Umbration {
    game::Umbration::try_from(number).unwrap_or_default()
}

/// Returns the abbreviation of an umbration in notation.
pub(crate) fn code(umbration: game::Umbration) -> &'static str {
    match umbration {
        game::Umbration::Unspecified => "???",
        game::Umbration::Essence => "ess",
        game::Umbration::Duality => "dua",
        game::Umbration::Cosmos => "cos",
        game::Umbration::Velocity => "vel",
        game::Umbration::Radiance => "rad",
        game::Umbration::Corporeality => "cor",
        game::Umbration::Innervation => "inn",
        game::Umbration::Caprice => "cap",
        game::Umbration::Cognizance => "cog",
    }
}

/// Returns the display name of an umbration.
pub(crate) fn name(umbration: game::Umbration) -> &'static str {
    match umbration {
        game::Umbration::Unspecified => "an unknown piece",
        game::Umbration::Essence => "Essence",
        game::Umbration::Duality => "Duality",
        game::Umbration::Cosmos => "Cosmos",
        game::Umbration::Velocity => "Velocity",
        game::Umbration::Radiance => "Radiance",
        game::Umbration::Corporeality => "Corporeality",
        game::Umbration::Innervation => "Innervation",
        game::Umbration::Caprice => "Caprice",
        game::Umbration::Cognizance => "Cognizance",
    }
}
