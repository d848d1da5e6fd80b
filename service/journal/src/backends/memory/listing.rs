//! Ranges of the directory in memory, found by an index as in a database.

use event::{Seat, Seats};

use super::rows::Rows;
use crate::store::{MatchRange, WALKED, Walk};
use crate::{MatchId, MatchRow, PlayerRow, RecordTime, ToAct};

/// Returns the matches in a range, newest first.
pub(super) fn list(rows: &Rows, range: &MatchRange) -> Vec<MatchRow> {
    let candidates = rows.index.newest_first(range, &range.walk);
    let matches = candidates.filter_map(|(_, id)| rows.matches.get(&id));
    let fitting = matches.filter(|row| fits(rows, row, range));
    fitting.take(range.page.0 as usize).cloned().collect()
}

/// Returns the last of the candidates of a walk that one call may look at.
pub(super) fn last_candidate(rows: &Rows, range: &MatchRange, walk: &Walk) -> Option<(RecordTime, MatchId)> {
    rows.index.newest_first(range, walk).nth(WALKED.0 as usize - 1)
}

fn fits(rows: &Rows, row: &MatchRow, range: &MatchRange) -> bool {
    range.external_id.as_ref().is_none_or(|id| row.registered.external_id.as_ref() == Some(id))
        && range.labels.0.iter().all(|(key, value)| has_label(rows, row, key, value))
        && has_seat(rows, row, range)
        && range.game.as_ref().is_none_or(|game| row.game == *game)
        && range.status.is_none_or(|status| row.status == status)
}

fn has_label(rows: &Rows, row: &MatchRow, key: &str, value: &str) -> bool {
    let labels = rows.labels.get(&row.match_id);
    labels.and_then(|labels| labels.0.get(key)).is_some_and(|found| found == value)
}

/// Returns whether the match has the range's player and seat to act.
fn has_seat(rows: &Rows, row: &MatchRow, range: &MatchRange) -> bool {
    let MatchRange { display_name, player_id, to_act, .. } = range;
    let acting = rows.to_act.get(&row.match_id).copied().unwrap_or(Seats::NONE);
    let is_wanted = |(seat, player): (Seat, &PlayerRow)| {
        display_name.as_ref().is_none_or(|name| player.display_name == *name)
            && player_id.as_ref().is_none_or(|id| player.player_id.as_ref() == Some(id))
            && (*to_act != Some(ToAct::Player) || acting.contains(seat))
    };
    let any_player = display_name.is_none() && player_id.is_none();
    let seat_acts = match to_act {
        Some(ToAct::Seat(seat)) => acting.contains(*seat),
        Some(ToAct::Player) | None => true,
    };
    seat_acts && (any_player || players(row).any(is_wanted))
}

fn players(row: &MatchRow) -> impl Iterator<Item = (Seat, &PlayerRow)> {
    let seats = Seat::ALL.into_iter().zip(&row.seats);
    seats.filter_map(|(seat, claimed)| Some((seat, claimed.as_ref()?.player.as_ref()?)))
}
