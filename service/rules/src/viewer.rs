//! Viewers of a match. Who may look as which viewer is decided elsewhere.

use crate::Side;

/// The viewer for whom a state or a fact is redacted (rule G-9). `S` is what names a seat: a side in the
/// rules, a numbered seat in the rest of the service.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Viewer<S = Side> {
    /// The player in that seat, who sees everything public and the seat's own secrets, also after the end.
    Seat(S),
    /// Anyone else, who sees only what is public.
    Spectator,
    /// The open view of a finished match, which shows everything that a game ever shows.
    Open,
}
