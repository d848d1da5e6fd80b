//! The order in which kinds of events may follow each other in any game: all that can be checked of a log
//! whose moves can't be replayed.

use event::RedactedEvent;
use replay::{Entry, Fault};

/// The progress of a match, as far as the kinds of its events tell.
#[derive(Default)]
pub(super) struct Outline {
    /// Which seats are claimed, by seat number.
    claimed: [bool; 2],
    /// Which seats have a choice in the current turn, by seat number.
    chosen: [bool; 2],
    pub(super) stage: Stage,
}

/// The stage of a match's life.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// No event yet.
    #[default]
    Empty,
    Open,
    Running,
    Over,
}

impl Outline {
    /// Checks the next event.
    pub(super) fn check(&mut self, entry: &Entry, event: &RedactedEvent) -> Result<(), Fault> {
        if entry.has_sealed_part() != event.sealed.is_some() {
            return Err(Fault::Undecodable);
        }
        let fits = match (self.stage, entry) {
            (Stage::Empty, Entry::MatchCreated(_) | Entry::MatchForked(_)) => {
                self.stage = Stage::Open;
                true
            }
            (Stage::Open, Entry::SeatClaimed(_)) => {
                !std::mem::replace(&mut self.claimed[seat_of(entry)?], true)
            }
            (Stage::Open | Stage::Running, Entry::SeatTokenRotated(_)) => self.claimed[seat_of(entry)?],
            (Stage::Open, Entry::MatchStarted(_)) => {
                self.stage = Stage::Running;
                self.claimed == [true; 2]
            }
            (Stage::Running, Entry::MoveSealed(_)) => {
                !std::mem::replace(&mut self.chosen[seat_of(entry)?], true)
            }
            (Stage::Running, Entry::TurnRevealed(_)) => std::mem::take(&mut self.chosen) == [true; 2],
            (Stage::Open | Stage::Running, Entry::MatchEnded(_)) => {
                self.stage = Stage::Over;
                true
            }
            (Stage::Running, Entry::SeatClaimed(_)) => false,
            // Any other event of a seat: an open move or a draw offer, for example.
            (Stage::Running, _) => seat_of(entry).is_ok(),
            _ => false,
        };
        if fits { Ok(()) } else { Err(Fault::OutOfPlace) }
    }
}

fn seat_of(entry: &Entry) -> Result<usize, Fault> {
    let seat = entry.seat().ok_or(Fault::Undecodable)?;
    Ok(seat.index())
}
