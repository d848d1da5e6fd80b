//! The kinds of events, their stored numbers and their names.

/// A kind of event. Its number is stored and hashed, so it never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum EventKind {
    /// Creates a match at its game's opening; always the first event.
    MatchCreated = 1,
    /// Creates a match at another match's position; always the first event.
    MatchForked = 2,
    /// A player takes a seat.
    SeatClaimed = 3,
    /// A seat gets a new token.
    SeatTokenRotated = 4,
    /// Both seats are taken and play begins.
    MatchStarted = 5,
    /// A seat moves in the open.
    MoveMade = 6,
    /// A seat chooses its move of a simultaneous turn.
    MoveSealed = 7,
    /// Both choices of a simultaneous turn are opened.
    TurnRevealed = 8,
    /// A seat offers a draw.
    DrawOffered = 9,
    /// A seat declines the other seat's offer.
    DrawDeclined = 10,
    /// The match is over; always the last event.
    MatchEnded = 11,
}

impl EventKind {
    /// All kinds with their names, by number.
    const NAMES: [(Self, &str); 11] = [
        (Self::MatchCreated, "match_created"),
        (Self::MatchForked, "match_forked"),
        (Self::SeatClaimed, "seat_claimed"),
        (Self::SeatTokenRotated, "seat_token_rotated"),
        (Self::MatchStarted, "match_started"),
        (Self::MoveMade, "move_made"),
        (Self::MoveSealed, "move_sealed"),
        (Self::TurnRevealed, "turn_revealed"),
        (Self::DrawOffered, "draw_offered"),
        (Self::DrawDeclined, "draw_declined"),
        (Self::MatchEnded, "match_ended"),
    ];

    /// Returns the kind with this stored number, or `None` if this build does not know it.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::NAMES.into_iter().map(|(kind, _)| kind).find(|kind| kind.number() == number)
    }

    /// Returns the stored number.
    pub fn number(self) -> u16 {
        self as u16
    }

    /// Returns the name in lower case, such as `move_made`.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[usize::from(self.number()) - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_numbers() {
        for ((kind, name), number) in EventKind::NAMES.into_iter().zip(1..) {
            assert_eq!(kind.number(), number);
            assert_eq!(EventKind::from_number(number), Some(kind));
            assert_eq!(kind.as_str(), name);
        }
        assert_eq!(EventKind::from_number(0), None);
        assert_eq!(EventKind::from_number(12), None);
    }
}
