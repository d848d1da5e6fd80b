//! The order in which kinds of events can come, whatever the game: what can be said of a log whose moves can't be
//! replayed.

use event::RedactedEvent;
use rules::{BySeat, Seat};

use crate::{Entry, Fault};

/// How far a match has come, by its kinds of events alone.
#[derive(Default)]
pub(super) struct Outline {
    claimed: BySeat<bool>,
    chosen: BySeat<bool>,
    pub(super) stage: Stage,
}

/// Where a match is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// It has no event yet.
    #[default]
    Unborn,
    Open,
    Running,
    Over,
}

impl Outline {
    pub(super) fn check(&mut self, entry: &Entry, copy: &RedactedEvent) -> Result<(), Fault> {
        if has_sealed_part(entry) != copy.sealed.is_some() {
            return Err(Fault::Undecodable);
        }
        let fits = match (self.stage, entry) {
            (Stage::Unborn, Entry::MatchCreated(_) | Entry::MatchForked(_)) => {
                self.stage = Stage::Open;
                true
            }
            (Stage::Open, Entry::SeatClaimed(_)) => {
                let seat = seat_of(entry)?;
                !std::mem::replace(&mut self.claimed[seat], true)
            }
            (Stage::Open | Stage::Running, Entry::SeatTokenRotated(_)) => self.claimed[seat_of(entry)?],
            (Stage::Open, Entry::MatchStarted(_)) => {
                self.stage = Stage::Running;
                self.claimed == BySeat::new(true, true)
            }
            (Stage::Running, Entry::MoveSealed(_)) => {
                let seat = seat_of(entry)?;
                !std::mem::replace(&mut self.chosen[seat], true)
            }
            (Stage::Running, Entry::TurnRevealed(_)) => {
                std::mem::take(&mut self.chosen) == BySeat::new(true, true)
            }
            (Stage::Running, Entry::MoveMade(_) | Entry::DrawOffered(_) | Entry::DrawDeclined(_)) => {
                seat_of(entry).is_ok()
            }
            (Stage::Open | Stage::Running, Entry::MatchEnded(_)) => {
                self.stage = Stage::Over;
                true
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(Fault::OutOfPlace) }
    }
}

fn seat_of(entry: &Entry) -> Result<Seat, Fault> {
    entry.seat().ok_or(Fault::Undecodable)
}

fn has_sealed_part(entry: &Entry) -> bool {
    match entry {
        Entry::MatchCreated(_) | Entry::MatchForked(_) | Entry::SeatClaimed(_) | Entry::MoveSealed(_) => true,
        Entry::SeatTokenRotated(_)
        | Entry::MatchStarted(_)
        | Entry::MoveMade(_)
        | Entry::TurnRevealed(_)
        | Entry::DrawOffered(_)
        | Entry::DrawDeclined(_)
        | Entry::MatchEnded(_) => false,
    }
}
