//! The first event of a match in words: its game, options, origin, time control and visibility.

use wire::v1::{GameOptions, MatchCreated, MatchForked, TimeControl, Visibility, game_options};

use super::clocks::time_control;
use super::counted;
use super::fork;
use crate::printable;

/// Describes a new match: `Match of ludus-magus created: 26 pieces, at most 300 turns`.
pub(super) fn match_created(created: &MatchCreated) -> String {
    let mut line = format!("Match of {} created", printable(&created.game_id));
    if let Some(options) = created.options.as_ref().and_then(options) {
        line.push_str(&format!(": {options}"));
    }
    if let Some(before) = &created.rematch_of {
        line.push_str(&format!("; rematch of match {}", printable(before)));
    }
    line + &terms(created.time_control.as_ref(), created.visibility(), created.forbid_takebacks)
}

/// Describes a forked match and its parent.
pub(super) fn match_forked(forked: &MatchForked) -> String {
    let mut line = format!("Match of {} forked", printable(&forked.game_id));
    if let Some(from) = &forked.forked_from {
        line.push_str(&format!(" from {}", fork::position(from)));
    }
    if forked.open_information {
        line.push_str("; everyone sees everything");
    }
    line + &terms(forked.time_control.as_ref(), forked.visibility(), forked.forbid_takebacks)
}

/// Returns the options in words; `None` for games without any.
fn options(options: &GameOptions) -> Option<String> {
    match options.game.as_ref()? {
        game_options::Game::AngelsAndDemons(options) => {
            Some(format!("{} x {} spaces, {}", options.rows(), options.cols(), turns(options.turns())))
        }
        game_options::Game::CresnovianChess(options) => {
            Some(format!("at most {}", turns(options.max_turns())))
        }
        game_options::Game::LudusMagus(options) => {
            Some(format!("{} pieces, at most {}", options.pieces.len(), turns(options.max_turns())))
        }
        game_options::Game::AceExorcist(_) => None,
    }
}

fn turns(count: u32) -> String {
    counted(count, "turn", "turns")
}

/// Returns the time control, the visibility unless the match is public, and whether takebacks are forbidden.
fn terms(control: Option<&TimeControl>, visibility: Visibility, forbid_takebacks: bool) -> String {
    let clocks = control.map(|control| format!("; {}", time_control(control))).unwrap_or_default();
    let visibility = match visibility {
        Visibility::Private => "; private",
        Visibility::Unlisted => "; unlisted",
        Visibility::Public | Visibility::Unspecified => "",
    };
    let takebacks = if forbid_takebacks { "; no takebacks" } else { "" };
    clocks + visibility + takebacks
}
