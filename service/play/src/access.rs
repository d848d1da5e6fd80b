//! Who may see and do what in a match.

use rules::{Seat, Viewer};
use wire::v1::ErrorReason;

use crate::{Caller, Refusal, live::Head, token};

/// The seat that the caller's token proves; none without a token.
pub(crate) fn seat_of(caller: &Caller, head: &Head) -> Result<Option<Seat>, Refusal> {
    let Some(token) = caller.token() else { return Ok(None) };
    let mut proven = None;
    // Every seat is compared, whether or not one has fitted already.
    for seat in Seat::ALL {
        let stored = head.registration.tokens[seat].hash;
        if stored.is_some_and(|stored| token::matches(token, &stored)) {
            proven = Some(seat);
        }
    }
    proven.map(Some).ok_or_else(|| {
        Refusal::new(
            ErrorReason::BadToken,
            "the token is not one of this match; use the one that ClaimSeat gave",
        )
    })
}

/// The seat of a call that only a seat can make.
pub(crate) fn own_seat(caller: &Caller, head: &Head) -> Result<Seat, Refusal> {
    seat_of(caller, head)?.ok_or_else(|| {
        Refusal::new(
            ErrorReason::MissingToken,
            "this call needs a seat's token as metadata: `authorization: Bearer TOKEN`",
        )
    })
}

/// Whose eyes a caller looks with.
pub(crate) fn viewer_of(caller: &Caller, head: &Head) -> Result<Viewer, Refusal> {
    Ok(seat_of(caller, head)?.map_or(Viewer::Spectator, Viewer::Seat))
}

/// Something of another seat was asked for.
pub(crate) fn not_your_seat(what: &str) -> Refusal {
    Refusal::new(ErrorReason::NotAllowed, format!("{what} of a seat can be seen with that seat's token only"))
}
