//! A position: everything that a log says up to one event. It is the whole truth,
//! so it has no Debug; what a viewer may see of it is in `show`.

use rules::{BySeat, GameId, Options, Seat, Seats, State};
use uuid::Uuid;
use wire::v1 as proto;

use crate::{ChainHash, Sealed, digest::DigestKey};

/// The state of a match after one of its events.
#[derive(Clone)]
pub struct Position {
    pub(crate) match_id: Uuid,
    pub(crate) seq: u32,
    pub(crate) head_hash: ChainHash,
    pub(crate) recorded_time: i64,
    pub(crate) settled_seq: u32,
    pub(crate) created: Created,
    pub(crate) seats: BySeat<Option<Sitting>>,
    pub(crate) started_time: Option<i64>,
    pub(crate) phase: Phase,
}

/// What the first event fixed.
#[derive(Clone)]
pub(crate) struct Created {
    pub game: GameId,
    pub rules_version: u32,
    pub options: Options,
    pub visibility: i32,
    pub recorded_time: i64,
    /// Salt and the service's bytes of the seed.
    pub seed: Sealed,
}

/// A claimed seat.
#[derive(Clone)]
pub struct Sitting {
    /// The name as the player gave it.
    pub player_name: String,
    pub(crate) entropy: Vec<u8>,
}

/// Where a match is in its life.
#[derive(Clone)]
pub enum Phase {
    /// Waits for players.
    Open,
    /// Is being played.
    Running(Playing),
    /// Has ended.
    Over(Finished),
}

/// A running match.
#[derive(Clone)]
pub struct Playing {
    pub(crate) state: State,
    pub(crate) digest_key: DigestKey,
    /// The sealed choices of this turn.
    pub(crate) sealed: BySeat<Option<Sealed>>,
}

/// A match that is over.
#[derive(Clone)]
pub struct Finished {
    /// The last state; none if play never began.
    pub(crate) state: Option<State>,
    /// Choices of a turn that never resolved: still secret (AD-5).
    pub(crate) sealed: Seats,
    pub(crate) result: proto::Result,
    pub(crate) ended_time: i64,
}

impl Position {
    /// The match.
    pub fn match_id(&self) -> Uuid {
        self.match_id
    }

    /// The event after which this is the state.
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// The hash of that event.
    pub fn head_hash(&self) -> ChainHash {
        self.head_hash
    }

    /// When that event was recorded, in microseconds since 1970.
    pub fn recorded_time(&self) -> i64 {
        self.recorded_time
    }

    /// The last event that made older positions stale: a move, a reveal or the
    /// end; 0 before any. The other seat's sealing and draw offers don't.
    pub fn settled_seq(&self) -> u32 {
        self.settled_seq
    }

    /// The game being played.
    pub fn game(&self) -> GameId {
        self.created.game
    }

    /// The options, defaults filled in.
    pub fn options(&self) -> &Options {
        &self.created.options
    }

    /// Where the match is in its life.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Who sits where.
    pub fn sitting(&self, seat: Seat) -> Option<&Sitting> {
        self.seats[seat].as_ref()
    }

    /// The rules' state while the match is being played, else none.
    pub fn running_state(&self) -> Option<&State> {
        match &self.phase {
            Phase::Running(playing) => Some(&playing.state),
            Phase::Open | Phase::Over(_) => None,
        }
    }

    /// The seats that may move now.
    pub fn to_act(&self) -> Seats {
        self.running_state().map_or(Seats::NONE, State::to_act)
    }

    /// When it was created, started and ended, in microseconds since 1970.
    pub fn times(&self) -> (i64, Option<i64>, Option<i64>) {
        let ended = match &self.phase {
            Phase::Over(finished) => Some(finished.ended_time),
            Phase::Open | Phase::Running(_) => None,
        };
        (self.created.recorded_time, self.started_time, ended)
    }

    /// How the match ended, if it did.
    pub fn result(&self) -> Option<&proto::Result> {
        match &self.phase {
            Phase::Over(finished) => Some(&finished.result),
            Phase::Open | Phase::Running(_) => None,
        }
    }

    /// The seats whose sealed choice waits for the other's.
    pub fn sealed(&self) -> Seats {
        match &self.phase {
            Phase::Open => Seats::NONE,
            Phase::Running(playing) => waiting(&playing.sealed),
            Phase::Over(finished) => finished.sealed,
        }
    }
}

/// The seats that have a sealed choice.
pub(crate) fn waiting(sealed: &BySeat<Option<Sealed>>) -> Seats {
    let mut seats = Seats::NONE;
    for (seat, _) in sealed.iter().filter(|(_, choice)| choice.is_some()) {
        seats.insert(seat);
    }
    seats
}
