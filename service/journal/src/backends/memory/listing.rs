//! Ranges of the directory in memory: all rows are looked at, but a walk ends where it would in a database.

use std::cmp::Reverse;

use event::{Seat, Seats};

use super::rows::Rows;
use crate::store::{MatchRange, WALKED, Walk};
use crate::{MatchId, MatchRow, PlayerRow, RecordTime, ToAct};

/// Returns the matches in a range, newest first.
pub(super) fn list(rows: &Rows, range: &MatchRange) -> Vec<MatchRow> {
    let mut fitting: Vec<_> = rows.matches.values().filter(|row| fits(rows, row, range)).collect();
    fitting.sort_unstable_by_key(|row| Reverse(row.sort_key()));
    fitting.into_iter().take(range.page.0 as usize).cloned().collect()
}

/// Returns the last of the candidates of a walk that one call may look at.
pub(super) fn last_candidate(rows: &Rows, range: &MatchRange, walk: &Walk) -> Option<(RecordTime, MatchId)> {
    let walked = rows.matches.values().filter(|row| is_in_time(row, range) && is_candidate(rows, row, walk));
    let owned = walked.filter(|row| range.owner.as_ref() == Some(&row.registered.owner));
    let mut keys: Vec<_> = owned.map(MatchRow::sort_key).collect();
    keys.sort_unstable_by_key(|key| Reverse(*key));
    keys.get(WALKED.0 as usize - 1).copied()
}

fn is_candidate(rows: &Rows, row: &MatchRow, walk: &Walk) -> bool {
    match walk {
        Walk::ExternalId(id) => row.registered.external_id.as_ref() == Some(id),
        Walk::Player(id) => players(row).any(|(_, player)| player.player_id.as_ref() == Some(id)),
        Walk::Label(key, value) => has_label(rows, row, key, value),
        Walk::Status(status) => row.status == *status,
        Walk::Owned => true,
    }
}

fn is_in_time(row: &MatchRow, range: &MatchRange) -> bool {
    row.create_time >= range.since
        && row.sort_key() < range.end
        && range.last_candidate.is_none_or(|last| row.sort_key() >= last)
}

fn fits(rows: &Rows, row: &MatchRow, range: &MatchRange) -> bool {
    range.visibility.is_none_or(|visibility| row.visibility == visibility)
        && range.owner.as_ref().is_none_or(|owner| row.registered.owner == *owner)
        && range.external_id.as_ref().is_none_or(|id| row.registered.external_id.as_ref() == Some(id))
        && range.labels.0.iter().all(|(key, value)| has_label(rows, row, key, value))
        && has_seat(rows, row, range)
        && range.game.as_ref().is_none_or(|game| row.game == *game)
        && range.status.is_none_or(|status| row.status == status)
        && is_in_time(row, range)
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
