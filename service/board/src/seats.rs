//! What the seats of a match are called, and what is to be said of each.

use wire::v1::{MatchStatus, Seat, SeatStatus, View, Viewer};

use crate::{Near, clocks, printable};

/// What the game calls a seat, for example `Angels`.
pub(crate) fn title(seats: &[SeatStatus], seat: Seat) -> String {
    match status(seats, seat) {
        Some(status) if !status.title.is_empty() => printable(&status.title),
        _ => match seat {
            Seat::Unspecified => "nobody".to_owned(),
            Seat::Zero => "seat 0".to_owned(),
            Seat::One => "seat 1".to_owned(),
        },
    }
}

/// A seat's title with its player's name: `Angels (Gabriel)`.
pub(crate) fn title_and_name(seats: &[SeatStatus], seat: Seat) -> String {
    let title = title(seats, seat);
    match status(seats, seat) {
        Some(status) if !status.player_name.is_empty() => {
            format!("{title} ({})", printable(&status.player_name))
        }
        _ => title,
    }
}

/// The player in a seat: the name, and whether it is the one who looks.
pub(crate) fn player(view: &View, seat: Seat) -> String {
    match status(&view.seats, seat) {
        Some(status) if status.claimed => {
            let name = printable(&status.player_name);
            if viewing_seat(view) == Some(seat) { format!("{name} (you)") } else { name }
        }
        // Also for a seat that looks back to before it was taken.
        _ => "free seat".to_owned(),
    }
}

/// The player in a seat, what it is doing at this position, its clock, and whether
/// it offers a draw.
pub(crate) fn player_and_doing(view: &View, seat: Seat) -> String {
    let doing = if view.status() != MatchStatus::Running {
        None
    } else if view.sealed().any(|sealed| sealed == seat) {
        Some("has chosen")
    } else if view.to_act().any(|acting| acting == seat) {
        Some("to move")
    } else {
        None
    };
    [Some(player(view, seat)), doing.map(str::to_owned), clock_and_offer(view, seat)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The same without what it is doing.
pub(crate) fn player_and_clock(view: &View, seat: Seat) -> String {
    [Some(player(view, seat)), clock_and_offer(view, seat)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// What a seat's line says beside its moves; none in most matches.
fn clock_and_offer(view: &View, seat: Seat) -> Option<String> {
    let offers = view.draw_offered_by.is_some() && view.draw_offered_by() == seat;
    let parts = [clocks::left(view, seat), offers.then(|| "offers a draw".to_owned())];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The seat that looks, if it is one.
pub(crate) fn viewing_seat(view: &View) -> Option<Seat> {
    match view.viewer() {
        Viewer::SeatZero => Some(Seat::Zero),
        Viewer::SeatOne => Some(Seat::One),
        Viewer::Unspecified | Viewer::Spectator | Viewer::Open => None,
    }
}

/// Whose edge is at the bottom, once it is known who looks.
pub(crate) fn bottom_seat(view: &View, near: Near) -> Seat {
    match near {
        Near::Zero => Seat::Zero,
        Near::One => Seat::One,
        Near::Viewer => viewing_seat(view).unwrap_or(Seat::Zero),
    }
}

fn status(seats: &[SeatStatus], seat: Seat) -> Option<&SeatStatus> {
    seats.iter().find(|status| status.seat() == seat)
}
