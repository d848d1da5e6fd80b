//! Games, matches and moves as text for a model.

use board::printable;
use matchbook_client::ListedMoves;
use wire::v1::{Game, Match, SeatStatus};

use crate::output::game_entry;

/// Lists the games with their seats and options.
pub(super) fn games(games: &[Game]) -> String {
    games.iter().map(game_entry).collect::<Vec<_>>().join("\n")
}

/// Lists open matches, one per line.
pub(super) fn open_matches(matches: &[Match]) -> String {
    if matches.is_empty() {
        return "No match is open now; create one.\n".to_owned();
    }
    let seat = |status: &SeatStatus| {
        let name = status.player.as_ref().map_or("taken", |player| player.display_name.as_str());
        let name = if status.claimed { name } else { "free" };
        format!("{} {}", printable(&status.title), printable(name))
    };
    let line = |open: &Match| {
        let seats: Vec<String> = open.seats.iter().map(seat).collect();
        format!("{} {} ({})\n", printable(&open.match_id), printable(&open.game_id), seats.join(", "))
    };
    matches.iter().map(line).collect()
}

/// Lists legal moves, one per line, and says what the list lacks.
pub(super) fn legal_moves(listed: &ListedMoves) -> String {
    if listed.moves.is_empty() && listed.unlisted_families.is_empty() {
        return "You have no legal move now: it is not your turn. Call wait.\n".to_owned();
    }
    let mut text: String = listed.notations().map(|notation| format!("{}\n", printable(notation))).collect();
    if listed.is_cut {
        text.push_str("There are more: raise limit, or use choose.\n");
    }
    for family in &listed.unlisted_families {
        text.push_str(&format!("More moves, too many to list: {}. Use choose.\n", printable(family)));
    }
    text
}
