//! Pieces and turns of Ludus Magus in words.

use wire::games::ludus_magus::v1 as game;
use wire::v1::{Fact, fact};

/// Quiet turns from which drawings mention them; at 100 the match is a draw (LM-44).
const QUIET_TURNS_SHOWN: u32 = 50;

/// Returns the state of the drawing rules, as soon as a draw comes close: quiet turns and repetition.
pub(crate) fn remarks(board: &game::View) -> Vec<String> {
    let mut remarks = Vec::new();
    if board.quiet_turns >= QUIET_TURNS_SHOWN {
        remarks.push(format!("{} of 100 quiet turns", board.quiet_turns));
    }
    if board.occurrences == 2 {
        remarks.push(SECOND_OCCURRENCE.to_owned());
    }
    remarks
}

const SECOND_OCCURRENCE: &str = "second occurrence of this position";

/// Returns the places that a fact is about, for highlighting.
pub(crate) fn touched(fact: &Fact) -> Vec<game::Place> {
    use game::fact::Fact as Kind;
    let Some(fact::Game::LudusMagus(game::Fact { fact: Some(fact) })) = &fact.game else { return Vec::new() };
    let place = |piece: &Option<game::Piece>| piece.as_ref().and_then(|piece| piece.place);
    let places = match fact {
        Kind::Captured(fact) => [place(&fact.piece), None],
        Kind::Moved(fact) => [place(&fact.piece), fact.to],
        Kind::Swapped(fact) => [fact.magus, fact.famulus],
        Kind::Conjured(fact) => [place(&fact.piece), None],
        Kind::Summoned(fact) => [place(&fact.piece), fact.to],
        Kind::Bound(fact) => [place(&fact.magus), None],
        Kind::ManaChanged(_) | Kind::TurnTaken(_) => [None, None],
    };
    places.into_iter().flatten().collect()
}

/// Returns what a fact adds to its event line; empty for facts that the move's notation implies.
pub(super) fn effect(fact: &game::Fact) -> String {
    use game::fact::Fact as Kind;
    match &fact.fact {
        Some(Kind::Captured(fact)) => format!(", captures {}", piece(fact.piece.as_ref())),
        Some(Kind::ManaChanged(fact)) => format!(", mana {}", fact.mana),
        Some(Kind::Bound(fact)) => format!(", {} is bound", piece(fact.magus.as_ref())),
        Some(Kind::TurnTaken(fact)) if fact.occurrences == 2 => format!(", {SECOND_OCCURRENCE}"),
        Some(
            Kind::Moved(_) | Kind::Swapped(_) | Kind::Conjured(_) | Kind::Summoned(_) | Kind::TurnTaken(_),
        )
        | None => String::new(),
    }
}

/// Returns a piece with its place: `the Terra on 2,7`.
fn piece(piece: Option<&game::Piece>) -> String {
    let Some(piece) = piece else { return "a piece".to_owned() };
    let name = if piece.kind() == game::Kind::Unspecified { "piece" } else { name(piece.kind()) };
    match piece.place.as_ref().and_then(|place| place.place.as_ref()) {
        Some(game::place::Place::Cell(cell)) => {
            let file = char::from_digit(10 + cell.x % 26, 36).unwrap_or('?');
            format!("the {name} on {file}{}", u64::from(cell.y) + 1)
        }
        Some(game::place::Place::Point(point)) => format!("the {name} on {},{}", point.i, point.j),
        None => format!("the {name}"),
    }
}

/// Returns the display name of a kind of piece.
pub(crate) fn name(kind: game::Kind) -> &'static str {
    match kind {
        game::Kind::Unspecified => "unknown piece",
        game::Kind::Aer => "Aer",
        game::Kind::Aqua => "Aqua",
        game::Kind::Ignis => "Ignis",
        game::Kind::Terra => "Terra",
        game::Kind::Aether => "Aether",
        game::Kind::Codex => "Codex",
        game::Kind::Famulus => "Famulus",
        game::Kind::Magus => "Magus",
    }
}

/// Returns the two-letter abbreviation of a kind on drawings.
pub(crate) fn abbreviation(kind: game::Kind) -> &'static str {
    match kind {
        game::Kind::Unspecified => "??",
        game::Kind::Aer => "Ar",
        game::Kind::Aqua => "Aq",
        game::Kind::Ignis => "Ig",
        game::Kind::Terra => "Te",
        game::Kind::Aether => "Ae",
        game::Kind::Codex => "Co",
        game::Kind::Famulus => "Fa",
        game::Kind::Magus => "Ma",
    }
}
