//! Proposals to the other seat. Of each kind a seat may make one between two of its moves (G-4).

use rules::{BySeat, Seat};
use wire::log::v1 as log;
use wire::v1 as proto;

use crate::{Entry, Fault, acting_seat};

/// What a seat proposes to the other seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProposalKind {
    /// To end the match as a draw.
    Draw,
}

/// The proposals of both seats, as the events of a match in play leave them.
#[derive(Clone, Copy, Default)]
pub struct Proposals {
    draw: BySeat<Standing>,
}

/// The state of a seat's proposal since its last move.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Standing {
    /// None since then.
    #[default]
    None,
    /// Waiting for the other seat's answer.
    Open,
    /// Declined.
    Declined,
}

impl ProposalKind {
    /// Every kind.
    pub const ALL: [Self; 1] = [Self::Draw];

    /// Reads the kind of a request. Returns `None` if it is unspecified or unknown.
    pub fn from_wire(kind: i32) -> Option<Self> {
        match proto::ProposalKind::try_from(kind).ok()? {
            proto::ProposalKind::Unspecified => None,
            proto::ProposalKind::Draw => Some(Self::Draw),
        }
    }

    /// Converts the kind for clients.
    pub fn to_wire(self) -> proto::ProposalKind {
        match self {
            Self::Draw => proto::ProposalKind::Draw,
        }
    }

    /// Reads a stored kind. Returns `None` if it is unspecified or unknown.
    pub fn from_log(kind: i32) -> Option<Self> {
        match log::ProposalKind::try_from(kind).ok()? {
            log::ProposalKind::Unspecified => None,
            log::ProposalKind::Draw => Some(Self::Draw),
        }
    }

    /// Converts the kind for the log.
    pub(crate) fn to_log(self) -> log::ProposalKind {
        match self {
            Self::Draw => log::ProposalKind::Draw,
        }
    }
}

impl Proposals {
    /// Returns the seat whose proposal of this kind is open. At most one seat has one.
    pub fn open(&self, kind: ProposalKind) -> Option<Seat> {
        Seat::ALL.into_iter().find(|&seat| self.of(kind)[seat] == Standing::Open)
    }

    /// Returns whether the seat may make a proposal: not twice between its moves, and not when it could
    /// accept the other seat's.
    pub fn may_make(&self, kind: ProposalKind, seat: Seat) -> bool {
        self.of(kind)[seat] == Standing::None && self.open(kind).is_none()
    }

    /// Applies the next event of a match in play: a proposal, an answer, or a move, with which its seat's
    /// proposals lapse. Ignores other events.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Fault> {
        let seat = acting_seat(entry);
        match (entry, seat) {
            (Entry::ProposalMade(made), seat) => {
                let (kind, seat) = (read_kind(made.kind)?, seat.ok_or(Fault::Undecodable)?);
                if !self.may_make(kind, seat) {
                    return Err(Fault::OutOfPlace);
                }
                self.of_mut(kind)[seat] = Standing::Open;
            }
            (Entry::ProposalAnswered(answered), seat) => {
                let (kind, seat) = (read_kind(answered.kind)?, seat.ok_or(Fault::Undecodable)?);
                if self.open(kind) != Some(seat.other()) {
                    return Err(Fault::OutOfPlace);
                }
                match (kind, answered.accepted) {
                    (ProposalKind::Draw, false) => self.of_mut(kind)[seat.other()] = Standing::Declined,
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
            self.of_mut(kind)[seat] = Standing::None;
        }
    }

    fn of(&self, kind: ProposalKind) -> &BySeat<Standing> {
        match kind {
            ProposalKind::Draw => &self.draw,
        }
    }

    fn of_mut(&mut self, kind: ProposalKind) -> &mut BySeat<Standing> {
        match kind {
            ProposalKind::Draw => &mut self.draw,
        }
    }
}

fn read_kind(kind: i32) -> Result<ProposalKind, Fault> {
    ProposalKind::from_log(kind).ok_or(Fault::Undecodable)
}
