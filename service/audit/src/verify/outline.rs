//! The order in which kinds of events may follow each other in any game: all that can be checked of a log
//! whose moves can't be replayed.

use event::RedactedEvent;
use replay::{Entry, Fault, Proposals, acting_seat};
use wire::Period;

/// The progress of a match, as far as the kinds of its events tell.
#[derive(Default)]
pub(super) struct Outline {
    /// Which seats are claimed, by seat number.
    claimed: [bool; 2],
    /// Which seats have a choice in the current turn, by seat number.
    chosen: [bool; 2],
    proposals: Proposals,
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

impl Stage {
    fn is_in(self, period: Period) -> bool {
        match period {
            Period::Creation => self == Self::Empty,
            Period::BeforeStart => self == Self::Open,
            Period::InPlay => self == Self::Running,
            Period::BeforeEnd => matches!(self, Self::Open | Self::Running),
        }
    }
}

impl Outline {
    /// Checks the next event.
    pub(super) fn check(&mut self, entry: &Entry, event: &RedactedEvent) -> Result<(), Fault> {
        if entry.sealed_content().is_some() != event.sealed.is_some() {
            return Err(Fault::Undecodable);
        }
        let fits = self.stage.is_in(entry.period())
            && match entry {
                Entry::MatchCreated(_) | Entry::MatchForked(_) => {
                    self.stage = Stage::Open;
                    true
                }
                Entry::SeatClaimed(_) => !std::mem::replace(&mut self.claimed[seat_of(entry)?], true),
                Entry::MatchStarted(_) => {
                    self.stage = Stage::Running;
                    self.claimed == [true; 2]
                }
                Entry::MoveSealed(_) => !std::mem::replace(&mut self.chosen[seat_of(entry)?], true),
                Entry::TurnRevealed(_) => std::mem::take(&mut self.chosen) == [true; 2],
                Entry::MatchEnded(_) => {
                    self.stage = Stage::Over;
                    true
                }
                // Any other event is an act of a seat, which must be claimed.
                _ => self.claimed[seat_of(entry)?],
            };
        if !fits {
            return Err(Fault::OutOfPlace);
        }
        self.proposals.apply(entry)
    }
}

fn seat_of(entry: &Entry) -> Result<usize, Fault> {
    let seat = acting_seat(entry).ok_or(Fault::Undecodable)?;
    Ok(seat.index())
}
