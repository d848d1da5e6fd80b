//! Proposals to the other seats. Of each kind a seat may make one between two of its moves (G-4).

use event::{Seat, Seats};
use wire::log::v1 as log;
use wire::v1 as proto;

use crate::{Entry, Fault, acting_seat};

/// What a seat proposes to the other seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProposalKind {
    /// To end the match as a draw.
    Draw,
    /// To take back the last turn of the seat that proposes it.
    Takeback,
}

/// The proposals of all seats, as the events of a match in play leave them.
#[derive(Clone, Copy, Default)]
pub struct Proposals {
    draw: OfKind,
    takeback: OfKind,
}

/// The proposals of one kind.
#[derive(Clone, Copy, Default)]
struct OfKind {
    /// The seat whose proposal waits for an answer.
    open: Option<Seat>,
    /// The seats whose proposal was declined since their last move.
    declined: Seats,
}

impl ProposalKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Draw, Self::Takeback];

    /// Reads the kind of a request. Returns `None` if it is unspecified or unknown.
    pub fn from_wire(kind: i32) -> Option<Self> {
        match proto::ProposalKind::try_from(kind).ok()? {
            proto::ProposalKind::Unspecified => None,
            proto::ProposalKind::Draw => Some(Self::Draw),
            proto::ProposalKind::Takeback => Some(Self::Takeback),
        }
    }

    /// Converts the kind for clients.
    pub fn to_wire(self) -> proto::ProposalKind {
        match self {
            Self::Draw => proto::ProposalKind::Draw,
            Self::Takeback => proto::ProposalKind::Takeback,
        }
    }

    /// Reads a stored kind. Returns `None` if it is unspecified or unknown.
    pub fn from_log(kind: i32) -> Option<Self> {
        match log::ProposalKind::try_from(kind).ok()? {
            log::ProposalKind::Unspecified => None,
            log::ProposalKind::Draw => Some(Self::Draw),
            log::ProposalKind::Takeback => Some(Self::Takeback),
        }
    }

    /// Converts the kind for the log.
    pub(crate) fn to_log(self) -> log::ProposalKind {
        match self {
            Self::Draw => log::ProposalKind::Draw,
            Self::Takeback => log::ProposalKind::Takeback,
        }
    }
}

impl Proposals {
    /// Returns the seat whose proposal of this kind is open. At most one seat has one.
    pub fn open(&self, kind: ProposalKind) -> Option<Seat> {
        self.of(kind).open
    }

    /// Returns whether the seat may make a proposal: not twice between its moves, and not when it could
    /// accept another seat's.
    pub fn may_make(&self, kind: ProposalKind, seat: Seat) -> bool {
        !self.of(kind).declined.contains(seat) && self.open(kind).is_none()
    }

    /// Returns whether the seat may answer a proposal, which another seat must have made.
    pub fn may_answer(&self, kind: ProposalKind, seat: Seat) -> bool {
        self.open(kind).is_some_and(|by| by != seat)
    }

    /// Applies the next event of a match in play: a proposal, an answer, or a move, with which its seat's
    /// proposals lapse. With an accepted takeback all lapse. Ignores other events.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Fault> {
        let seat = acting_seat(entry);
        match (entry, seat) {
            (Entry::ProposalMade(made), seat) => {
                let (kind, seat) = (read_kind(made.kind)?, seat.ok_or(Fault::UnknownSeat)?);
                if !self.may_make(kind, seat) {
                    return Err(Fault::OutOfPlace);
                }
                self.of_mut(kind).open = Some(seat);
            }
            (Entry::ProposalAnswered(answered), seat) => {
                let (kind, seat) = (read_kind(answered.kind)?, seat.ok_or(Fault::UnknownSeat)?);
                if !self.may_answer(kind, seat) {
                    return Err(Fault::OutOfPlace);
                }
                let digest_bytes = if answered.is_takeback() { 32 } else { 0 };
                if answered.state_digest.len() != digest_bytes {
                    return Err(Fault::Undecodable);
                }
                match (kind, answered.accepted) {
                    (_, false) => self.of_mut(kind).decline(),
                    (ProposalKind::Takeback, true) => *self = Self::default(),
                    // The end of the match is the answer.
                    (ProposalKind::Draw, true) => return Err(Fault::OutOfPlace),
                }
            }
            (Entry::MoveMade(_) | Entry::MoveSealed(_), Some(seat)) => self.withdraw(seat),
            _ => {}
        }
        Ok(())
    }

    /// Withdraws a seat's proposals because it moved, and lets it make new ones.
    fn withdraw(&mut self, seat: Seat) {
        for kind in ProposalKind::ALL {
            let proposals = self.of_mut(kind);
            proposals.open = proposals.open.filter(|by| *by != seat);
            proposals.declined = proposals.declined.without(Seats::only(seat));
        }
    }

    fn of(&self, kind: ProposalKind) -> &OfKind {
        match kind {
            ProposalKind::Draw => &self.draw,
            ProposalKind::Takeback => &self.takeback,
        }
    }

    fn of_mut(&mut self, kind: ProposalKind) -> &mut OfKind {
        match kind {
            ProposalKind::Draw => &mut self.draw,
            ProposalKind::Takeback => &mut self.takeback,
        }
    }
}

impl OfKind {
    fn decline(&mut self) {
        self.declined = self.open.take().into_iter().chain(self.declined.iter()).collect();
    }
}

pub(crate) fn read_kind(kind: i32) -> Result<ProposalKind, Fault> {
    ProposalKind::from_log(kind).ok_or(Fault::Undecodable)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: ProposalKind = ProposalKind::Draw;

    fn apply(proposals: &mut Proposals, entry: Entry) {
        proposals.apply(&entry).unwrap();
    }

    #[test]
    fn every_other_seat_may_answer_and_a_declined_seat_proposes_again_after_its_move() {
        let seats @ [_, second, third, ..] = Seat::ALL;
        let number = |seat: Seat| Some(seat.number().into());
        let kind = DRAW.to_log().into();
        let mut proposals = Proposals::default();
        apply(&mut proposals, Entry::ProposalMade(log::ProposalMade { seat: number(second), kind }));
        let of_first_three = |may: &dyn Fn(Seat) -> bool| [may(seats[0]), may(second), may(third)];
        assert_eq!(of_first_three(&|seat| proposals.may_answer(DRAW, seat)), [true, false, true]);
        assert_eq!(of_first_three(&|seat| proposals.may_make(DRAW, seat)), [false; 3]);
        let declined = log::ProposalAnswered { seat: number(third), kind, ..Default::default() };
        apply(&mut proposals, Entry::ProposalAnswered(declined));
        assert_eq!(proposals.open(DRAW), None);
        assert_eq!(of_first_three(&|seat| proposals.may_make(DRAW, seat)), [true, false, true]);
        apply(&mut proposals, Entry::MoveSealed(log::MoveSealed { seat: number(second) }));
        assert!(proposals.may_make(DRAW, second));
    }
}
