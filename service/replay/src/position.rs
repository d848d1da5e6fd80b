//! A position: everything that a log says up to one of its events. It holds all secrets, so it implements no
//! `Debug`; `show` returns what a viewer may see.

use std::sync::Arc;

use event::{BySeat, ChainHash, Commitment, MatchId, Part as _, RecordTime, SealedPart, Seat, Seats, Seq};
use rules::{GameId, Options, Rules};
use wire::log::v1 as log;
use wire::v1 as proto;

use crate::apply::MoveUndo;
use crate::clock::Clocks;
use crate::digest::DigestKey;
use crate::fork::{ForkOrigin, Parent};
use crate::proposals::Proposals;
use crate::{ClockSettings, Fault, GameState, GivenTerms, ProposalKind, RecentMoves, convert};

/// The state of a match after one of its events.
#[derive(Clone)]
pub struct Position {
    pub(crate) match_id: MatchId,
    pub(crate) seq: Seq,
    pub(crate) head_hash: ChainHash,
    pub(crate) record_time: RecordTime,
    pub(crate) settled_seq: Seq,
    /// Never changes after the first event.
    pub(crate) created: Arc<Created>,
    pub(crate) seats: BySeat<Option<Seating>>,
    pub(crate) start_time: Option<RecordTime>,
    pub(crate) phase: MatchPhase,
}

/// What the first event fixed.
#[derive(Clone)]
pub(crate) struct Created {
    /// The rules that the match is pinned to.
    pub rules: Rules,
    pub options: Options,
    pub visibility: proto::Visibility,
    pub record_time: RecordTime,
    /// Salt and the service's contribution to the seed.
    pub seed: SealedPart,
    /// `None` in a match without clocks.
    pub clock_settings: Option<ClockSettings>,
    pub rematch_of: Option<MatchId>,
    pub given: GivenTerms,
    /// `None` in a match that starts at the opening.
    pub fork_origin: Option<Arc<ForkOrigin>>,
}

/// A claimed seat.
#[derive(Clone)]
pub struct Seating {
    /// Name that the player gave, if the claim's event opens it.
    pub(crate) display_name: Option<String>,
    /// Commitment to the player.
    pub(crate) player: Commitment,
    pub(crate) entropy: Vec<u8>,
    /// Number of tokens that the seat has had.
    pub(crate) generation: u32,
}

/// The phase of a match's life, and the state that goes with it.
#[derive(Clone)]
pub enum MatchPhase {
    /// Waits for players.
    Open,
    /// Play is on.
    Running(Box<Playing>),
    /// Play has ended, or never started.
    Over(Box<Finished>),
}

/// The state of a running match.
#[derive(Clone)]
pub struct Playing {
    pub(crate) state: GameState,
    /// `None` in a log whose seed is still sealed.
    pub(crate) digest_key: Option<DigestKey>,
    /// Sealed choices of this turn. A choice that is not at hand has not reached `state`.
    pub(crate) sealed: BySeat<Option<SealedPart>>,
    /// Seed that the game was set up with; a fork's is its first ancestor's.
    pub(crate) setup_seed: [u8; 32],
    pub(crate) clocks: Option<Clocks>,
    pub(crate) proposals: Proposals,
    /// `None` in a match without takebacks.
    pub(crate) recent_moves: Option<RecentMoves<Arc<MoveUndo>>>,
    /// Whether a seat has made a move or a choice in this match.
    pub(crate) moved: bool,
}

/// The state of a match that is over.
#[derive(Clone)]
pub struct Finished {
    /// Last state, or `None` if play never started.
    pub(crate) state: Option<GameState>,
    /// Seats with a choice of a turn that was never revealed. The choice stays secret (AD-5).
    pub(crate) sealed: Seats,
    pub(crate) result: log::MatchResult,
    pub(crate) end_time: RecordTime,
}

impl Position {
    /// Returns the match's id.
    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// Returns the number of the last event.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Returns the hash of the last event.
    pub fn head_hash(&self) -> ChainHash {
        self.head_hash
    }

    /// Returns the time at which the last event was recorded.
    pub fn record_time(&self) -> RecordTime {
        self.record_time
    }

    /// Returns the number of the last event that made older positions stale: a move, a reveal, a takeback or
    /// the end. It is 0 if there is none. Sealed choices and proposals don't count.
    pub fn settled_seq(&self) -> Seq {
        self.settled_seq
    }

    /// Returns the game.
    pub fn game(&self) -> GameId {
        self.created.rules.game()
    }

    /// Returns the rules version that the match is pinned to.
    pub fn rules_version(&self) -> u32 {
        self.created.rules.rules_version()
    }

    /// Returns the options, with defaults filled in.
    pub fn options(&self) -> &Options {
        &self.created.options
    }

    /// Returns the phase of the match's life.
    pub fn phase(&self) -> &MatchPhase {
        &self.phase
    }

    /// Returns the match's seats, seat 0 first.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        self.seats.seats()
    }

    /// Returns the number of the match's seats.
    pub fn seat_count(&self) -> usize {
        self.seats.len()
    }

    /// Returns who holds a seat, or `None` if it is not claimed.
    pub fn seating(&self, seat: Seat) -> Option<&Seating> {
        self.seats.get(seat)?.as_ref()
    }

    /// Returns whether every seat is claimed.
    pub fn is_full(&self) -> bool {
        self.seats.iter().all(|(_, seating)| seating.is_some())
    }

    /// Leaves out the names of players.
    pub(crate) fn withhold_players(&mut self) {
        for seat in Seat::ALL {
            if let Some(Some(seating)) = self.seats.get_mut(seat) {
                seating.display_name = None;
            }
        }
    }

    /// Returns the commitment to the player that a claim names, or `None` if the seat is not claimed.
    pub fn player_commitment(&self, seat: Seat) -> Option<Commitment> {
        self.seats.get(seat)?.as_ref().map(|seating| seating.player)
    }

    /// Returns the rules' state of a running match.
    pub fn running_state(&self) -> Option<&GameState> {
        self.playing_now().map(|playing| &playing.state)
    }

    /// Returns the seats that may move.
    pub fn to_act(&self) -> Seats {
        self.playing_now().map_or(Seats::NONE, Playing::to_act)
    }

    /// Returns when the match was created, started and ended.
    pub fn times(&self) -> (RecordTime, Option<RecordTime>, Option<RecordTime>) {
        let ended = self.finished().map(|finished| finished.end_time);
        (self.created.record_time, self.start_time, ended)
    }

    /// Returns the result of a match that is over.
    pub fn result(&self) -> Option<proto::MatchResult> {
        self.finished().map(|finished| convert::result_to_wire(&finished.result))
    }

    /// Returns who may find the match.
    pub fn visibility(&self) -> proto::Visibility {
        self.created.visibility
    }

    /// Returns the clock settings, or `None` in a match without clocks.
    pub fn clock_settings(&self) -> Option<ClockSettings> {
        self.created.clock_settings
    }

    /// Returns the position that a fork continues.
    pub fn parent(&self) -> Option<Parent> {
        self.created.fork_origin.as_ref().map(|origin| origin.parent)
    }

    /// Returns the match that this one is the rematch of.
    pub fn rematch_of(&self) -> Option<MatchId> {
        self.created.rematch_of
    }

    /// Returns whether this is a fork of a game with secrets, in which what the parent hid is open to
    /// everybody.
    pub fn has_open_information(&self) -> bool {
        self.created.fork_origin.is_some() && self.game().info().secrets
    }

    /// Returns the commitment to the service's contribution to the seed.
    pub(crate) fn seed_commitment(&self) -> Commitment {
        self.created.seed.commitment()
    }

    /// Returns whether the service's contribution to the seed is at hand.
    pub fn seed_is_open(&self) -> bool {
        self.created.seed.opened().is_some()
    }

    /// Returns the earliest time at which a seat runs out of time.
    pub fn next_due(&self) -> Option<RecordTime> {
        self.playing_now().and_then(|playing| playing.clocks.as_ref()).and_then(Clocks::next_due)
    }

    /// Returns the seats that have lost on time if the next event arrives at this time.
    pub fn overdue(&self, arrival: RecordTime) -> Option<Seats> {
        let recorded = arrival.max(self.record_time.next());
        self.playing_now()?.clocks.as_ref()?.overdue(recorded)
    }

    /// Returns the seat whose proposal of this kind is open.
    pub fn proposed_by(&self, kind: ProposalKind) -> Option<Seat> {
        self.playing_now().and_then(|playing| playing.proposals.open(kind))
    }

    /// Returns whether a seat may answer a proposal of this kind.
    pub fn may_answer(&self, kind: ProposalKind, seat: Seat) -> bool {
        self.playing_now().is_some_and(|playing| playing.proposals.may_answer(kind, seat))
    }

    /// Returns whether a seat may make a proposal of this kind.
    pub fn may_propose(&self, kind: ProposalKind, seat: Seat) -> bool {
        self.playing_now().is_some_and(|playing| playing.proposals.may_make(kind, seat))
    }

    /// Returns whether a seat may still abort the match (G-4).
    pub fn may_abort(&self) -> bool {
        match &self.phase {
            MatchPhase::Open => true,
            MatchPhase::Running(playing) => !playing.moved && !self.game().info().chance,
            MatchPhase::Over(_) => false,
        }
    }

    /// Returns the seats whose sealed choice waits for the turn's reveal.
    pub fn sealed(&self) -> Seats {
        match &self.phase {
            MatchPhase::Open => Seats::NONE,
            MatchPhase::Running(playing) => sealed_seats(&playing.sealed),
            MatchPhase::Over(finished) => finished.sealed,
        }
    }

    /// Returns the match's seat with the number that an event names, which it must.
    pub(crate) fn seat(&self, number: Option<u32>) -> Result<Seat, Fault> {
        let seat = number.and_then(convert::seat_from_wire).filter(|seat| self.seats.get(*seat).is_some());
        seat.ok_or(Fault::UnknownSeat)
    }

    pub(crate) fn playing_now(&self) -> Option<&Playing> {
        match &self.phase {
            MatchPhase::Running(playing) => Some(playing),
            MatchPhase::Open | MatchPhase::Over(_) => None,
        }
    }

    pub(crate) fn finished(&self) -> Option<&Finished> {
        match &self.phase {
            MatchPhase::Over(finished) => Some(finished),
            MatchPhase::Open | MatchPhase::Running(_) => None,
        }
    }
}

impl Playing {
    /// Returns the seats that may move.
    pub(crate) fn to_act(&self) -> Seats {
        self.state.to_act().without(sealed_seats(&self.sealed))
    }

    /// Returns whether every seat that had to choose in this turn has chosen.
    pub(crate) fn is_reveal_due(&self) -> bool {
        self.to_act().is_empty() && !sealed_seats(&self.sealed).is_empty()
    }
}

/// Returns the seats that have a sealed choice.
pub(crate) fn sealed_seats(sealed: &BySeat<Option<SealedPart>>) -> Seats {
    sealed.iter().filter(|(_, choice)| choice.is_some()).map(|(seat, _)| seat).collect()
}
