//! Names of seats and players, and what each seat is doing.

use wire::v1::{MatchStatus, Player, ProposalKind, SeatStatus, View};

use super::clocks;
use crate::{Orientation, printable};

/// Returns the game's name for a seat that a message names, for example `Angels`.
pub(crate) fn title(seats: &[SeatStatus], seat: impl Into<Option<u32>>) -> String {
    let Some(seat) = seat.into() else { return "a seat without a number".to_owned() };
    match status(seats, seat) {
        Some(status) if !status.title.is_empty() => printable(&status.title),
        _ => format!("seat {seat}"),
    }
}

/// Returns a seat's title with its player's name: `Angels (Gabriel)`.
pub(crate) fn title_and_name(seats: &[SeatStatus], seat: u32) -> String {
    let title = title(seats, seat);
    match status(seats, seat).and_then(SeatStatus::display_name) {
        Some(name) => format!("{title} ({})", printable(name)),
        None => title,
    }
}

/// Returns a player's name, or what stands for it once the player was erased.
pub(crate) fn name(player: Option<&Player>) -> String {
    player.map_or_else(|| "(redacted)".to_owned(), |player| printable(&player.display_name))
}

/// Returns the name of a seat's player, marked `(you)` for the viewer's own seat.
pub(crate) fn player(view: &View, seat: u32) -> String {
    match status(&view.seats, seat) {
        Some(status) if status.claimed => {
            let name = name(status.player.as_ref());
            if view.viewing_seat() == Some(seat) { format!("{name} (you)") } else { name }
        }
        // Also for a viewer at a position before its own seat was claimed.
        _ => "free seat".to_owned(),
    }
}

/// Returns a seat's player, what the seat is doing at this position, its clock, and its proposals.
pub(crate) fn player_and_activity(view: &View, seat: u32) -> String {
    let activity = if view.status() != MatchStatus::Running {
        None
    } else if view.sealed.contains(&seat) {
        Some("has chosen")
    } else if view.to_act.contains(&seat) {
        Some("to move")
    } else {
        None
    };
    [Some(player(view, seat)), activity.map(str::to_owned), clock_and_proposals(view, seat)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns a seat's player, its clock, and its proposals.
pub(crate) fn player_and_clock(view: &View, seat: u32) -> String {
    [Some(player(view, seat)), clock_and_proposals(view, seat)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns a seat's clock and open proposals; `None` if it has none of them.
fn clock_and_proposals(view: &View, seat: u32) -> Option<String> {
    let own = view.proposals.iter().filter(|proposal| proposal.seat == Some(seat));
    let proposals = own.map(|proposal| match proposal.kind() {
        ProposalKind::Draw => "offers a draw".to_owned(),
        ProposalKind::Takeback => "asks for a takeback".to_owned(),
        ProposalKind::Unspecified => "makes a proposal that this version does not know".to_owned(),
    });
    let parts: Vec<String> = clocks::time_left(view, seat).into_iter().chain(proposals).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the seat whose edge is at the bottom of a drawing of this view.
pub(crate) fn bottom_seat(view: &View, orientation: Orientation) -> u32 {
    match orientation {
        Orientation::Zero => 0,
        Orientation::One => 1,
        Orientation::Viewer => view.viewing_seat().unwrap_or(0),
    }
}

/// Returns the heading of a match that shows no position.
pub(crate) fn lobby_heading(view: &View) -> &'static str {
    match view.status() {
        MatchStatus::Open if view.seats.iter().all(|seat| seat.claimed) => "All seats are taken",
        MatchStatus::Open => "Waiting for players",
        MatchStatus::Over => "Over before it began",
        MatchStatus::Running | MatchStatus::Unspecified => "A game that this version does not know",
    }
}

fn status(seats: &[SeatStatus], seat: u32) -> Option<&SeatStatus> {
    seats.iter().find(|status| status.seat == Some(seat))
}
