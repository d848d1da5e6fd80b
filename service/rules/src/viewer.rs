//! Who looks at a match. Which person may look as which viewer is not decided here.

use crate::Seat;

/// Through whose eyes a state or a fact is shown (rule G-9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Viewer {
    /// The player in that seat: all that is public and the seat's own secrets, also after the end.
    Seat(Seat),
    /// Anybody else: only what is public.
    Spectator,
    /// The open view of a match that is over: everything that a game ever shows.
    Open,
}
