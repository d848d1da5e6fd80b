//! A position: everything that a log says up to one event. It is the whole truth,
//! so it has no Debug; what a viewer may see of it is in `show`.

use std::sync::Arc;

use event::{ChainHash, MatchId, RecordedTime, SealedPart, Seq};
use rules::{BySeat, GameId, Options, Seat, Seats, State};
use wire::v1 as proto;

use crate::clock::Clocks;
use crate::digest::DigestKey;
use crate::draw::DrawOffers;
use crate::fork::{Lineage, Parent};
use crate::{Overdue, Timing};

/// The state of a match after one of its events.
#[derive(Clone)]
pub struct Position {
    pub(crate) match_id: MatchId,
    pub(crate) seq: Seq,
    pub(crate) head_hash: ChainHash,
    pub(crate) recorded_time: RecordedTime,
    pub(crate) settled_seq: Seq,
    /// Never changes after the first event.
    pub(crate) created: Arc<Created>,
    pub(crate) seats: BySeat<Option<Sitting>>,
    pub(crate) started_time: Option<RecordedTime>,
    pub(crate) phase: Phase,
}

/// What the first event fixed.
#[derive(Clone)]
pub(crate) struct Created {
    pub game: GameId,
    pub rules_version: u32,
    pub options: Options,
    pub visibility: i32,
    pub recorded_time: RecordedTime,
    /// Salt and the service's bytes of the seed.
    pub seed: SealedPart,
    /// None in a match without clocks.
    pub timing: Option<Timing>,
    pub rematch_of: Option<MatchId>,
    /// None in a match that begins at the opening.
    pub lineage: Option<Arc<Lineage>>,
}

/// A claimed seat.
#[derive(Clone)]
pub struct Sitting {
    /// The name as the player gave it; empty in a copy of the log that does not tell it.
    pub player_name: String,
    pub(crate) entropy: Vec<u8>,
    /// How many tokens the seat has had.
    pub(crate) generation: u32,
}

/// Where a match is in its life.
#[derive(Clone)]
pub enum Phase {
    /// Waits for players.
    Open,
    /// Is being played.
    Running(Box<Playing>),
    /// Has ended.
    Over(Box<Finished>),
}

/// A running match.
#[derive(Clone)]
pub struct Playing {
    pub(crate) state: State,
    /// None in a copy of the log whose seed is still sealed.
    pub(crate) digest_key: Option<DigestKey>,
    /// The sealed choices of this turn. One that is not told has not reached the state.
    pub(crate) sealed: BySeat<Option<SealedPart>>,
    /// What the game was set up with: of a fork, its first parent's.
    pub(crate) setup_seed: [u8; 32],
    pub(crate) clocks: Option<Clocks>,
    pub(crate) draws: DrawOffers,
    /// Some seat has made a move or a choice in this match.
    pub(crate) moved: bool,
}

/// A match that is over.
#[derive(Clone)]
pub struct Finished {
    /// The last state; none if play never began.
    pub(crate) state: Option<State>,
    /// Choices of a turn that never resolved: still secret (AD-5).
    pub(crate) sealed: Seats,
    pub(crate) result: proto::Result,
    pub(crate) ended_time: RecordedTime,
}

impl Position {
    /// The match.
    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// The event after which this is the state.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The hash of that event.
    pub fn head_hash(&self) -> ChainHash {
        self.head_hash
    }

    /// When that event was recorded, in microseconds since 1970.
    pub fn recorded_time(&self) -> RecordedTime {
        self.recorded_time
    }

    /// The last event that made older positions stale: a move, a reveal or the
    /// end; 0 before any. The other seat's sealing and draw offers don't.
    pub fn settled_seq(&self) -> Seq {
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
        self.playing_now().map_or(Seats::NONE, Playing::to_act)
    }

    /// When it was created, started and ended, in microseconds since 1970.
    pub fn times(&self) -> (RecordedTime, Option<RecordedTime>, Option<RecordedTime>) {
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

    /// Who may know of the match.
    pub fn visibility(&self) -> proto::Visibility {
        proto::Visibility::try_from(self.created.visibility).unwrap_or(proto::Visibility::Private)
    }

    /// How the match measures time, if it does.
    pub fn timing(&self) -> Option<Timing> {
        self.created.timing
    }

    /// The position that the match goes on from, if it is a fork.
    pub fn parent(&self) -> Option<Parent> {
        self.created.lineage.as_ref().map(|lineage| lineage.parent)
    }

    /// The match that this is the rematch of.
    pub fn rematch_of(&self) -> Option<MatchId> {
        self.created.rematch_of
    }

    /// A fork of a game with secrets: what its parent hid is open to all.
    pub fn has_open_information(&self) -> bool {
        self.created.lineage.is_some() && self.game().info().secrets
    }

    /// The earliest moment at which a seat's time is over, in microseconds since 1970.
    pub fn next_due(&self) -> Option<RecordedTime> {
        self.playing_now().and_then(|playing| playing.clocks.as_ref()).and_then(Clocks::next_due)
    }

    /// Who has lost on time if the next event is recorded at this moment.
    pub fn overdue(&self, arrival: RecordedTime) -> Option<Overdue> {
        let recorded = arrival.max(self.recorded_time.next());
        self.playing_now()?.clocks.as_ref()?.overdue(recorded)
    }

    /// The seat whose offer of a draw stands.
    pub fn draw_offered_by(&self) -> Option<Seat> {
        self.playing_now().and_then(|playing| playing.draws.standing())
    }

    /// Whether the seat may offer a draw now.
    pub fn may_offer_draw(&self, seat: Seat) -> bool {
        self.playing_now().is_some_and(|playing| playing.draws.may_offer(seat))
    }

    /// Whether a seat may still call the match off (G-4).
    pub fn may_abort(&self) -> bool {
        match &self.phase {
            Phase::Open => true,
            Phase::Running(playing) => !playing.moved && !self.game().info().chance,
            Phase::Over(_) => false,
        }
    }

    pub(crate) fn playing_now(&self) -> Option<&Playing> {
        match &self.phase {
            Phase::Running(playing) => Some(playing),
            Phase::Open | Phase::Over(_) => None,
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

impl Playing {
    /// The seats that may move now.
    pub(crate) fn to_act(&self) -> Seats {
        let mut seats = self.state.to_act();
        for seat in waiting(&self.sealed).iter() {
            seats.remove(seat);
        }
        seats
    }
}

/// The seats that have a sealed choice.
pub(crate) fn waiting(sealed: &BySeat<Option<SealedPart>>) -> Seats {
    let mut seats = Seats::NONE;
    for (seat, _) in sealed.iter().filter(|(_, choice)| choice.is_some()) {
        seats.insert(seat);
    }
    seats
}
