//! Applies events to a position. Stored events pass through here when a match is loaded, and new ones before
//! they are stored, so a log that would not replay is never written.

mod ending;
mod moves;
mod start;
mod takeback;

use event::{Event, MatchId, Part, RedactedEvent};
use rules::{Fact, Games};

use crate::applied::{DecodedPart, Openness};
use crate::position::Playing;
use crate::{AppliedEvent, ChainHead, Entry, Fault, MatchPhase, Position, ProposalKind, ReplayError};

pub use start::{check_first_event, decode_player};
pub(crate) use takeback::MoveUndo;

/// What an event brings about besides changing the position.
struct Effect {
    opened: DecodedPart,
    facts: Vec<Fact>,
    moves_taken_back: usize,
}

impl Effect {
    const NONE: Self = Self { opened: DecodedPart::None, facts: Vec::new(), moves_taken_back: 0 };

    /// Creates the effect of an event that moves no piece or card.
    fn opening(opened: DecodedPart) -> Self {
        Self { opened, ..Self::NONE }
    }
}

impl Position {
    /// Applies a match's first event, which pins the match to one of the given rules. Does not check what a
    /// redacted event leaves out.
    pub fn start<P: Part>(
        games: Games,
        match_id: MatchId,
        event: &Event<P>,
    ) -> Result<(Self, AppliedEvent), ReplayError> {
        let start = |event: &RedactedEvent| {
            let entry = ChainHead::before_first(match_id).check(event)?;
            let position = Self::first(games, match_id, &entry, event)?;
            let applied = position.applied(event, entry, Effect::NONE);
            Ok((position, applied))
        };
        start(&event.to_part()).map_err(|fault| ReplayError::new(match_id, event.seq, fault))
    }

    /// Applies the next event. Does not check what a redacted event leaves out. After an error the position
    /// is undefined and must be dropped.
    pub fn apply<P: Part>(&mut self, event: &Event<P>) -> Result<AppliedEvent, ReplayError> {
        let match_id = self.match_id;
        self.apply_part(&event.to_part()).map_err(|fault| ReplayError::new(match_id, event.seq, fault))
    }

    fn apply_part(&mut self, event: &RedactedEvent) -> Result<AppliedEvent, Fault> {
        let head = ChainHead::at(self.match_id, self.seq, self.head_hash, self.record_time);
        let entry = head.check(event)?;
        self.seq = event.seq;
        self.head_hash = event.hash;
        self.record_time = event.record_time;
        if entry.settles_position() {
            self.settled_seq = event.seq;
        }
        self.check_due(&entry)?;
        let asked = self.proposed_by(ProposalKind::Takeback);
        if let MatchPhase::Running(playing) = &mut self.phase {
            playing.proposals.apply(&entry)?;
        }
        let effect = match &entry {
            Entry::MatchCreated(_) | Entry::MatchForked(_) => return Err(Fault::OutOfPlace),
            Entry::SeatClaimed(claim) => self.claim(claim, event)?,
            Entry::SeatTokenRotated(rotated) => self.rotate(rotated)?,
            Entry::MatchStarted(_) => self.start_play()?,
            Entry::MoveMade(made) => self.make_move(made)?,
            Entry::MoveSealed(choice) => self.seal_move(choice, event)?,
            Entry::TurnRevealed(turn) => self.reveal(turn)?,
            Entry::ProposalMade(proposal) => self.propose(proposal)?,
            Entry::ProposalAnswered(answer) => self.answer(answer, asked)?,
            Entry::MatchEnded(end) => self.end(end)?,
        };
        Ok(self.applied(event, entry, effect))
    }

    /// Rejects an event before one that is due: the start after the last claim, the reveal after a turn's
    /// last choice, the end once the rules or the clocks have ended play. Applying moves and ends judges
    /// whether an end is due before them.
    fn check_due(&self, entry: &Entry) -> Result<(), Fault> {
        let fits = match (entry, &self.phase) {
            (_, MatchPhase::Open) if self.is_full() => matches!(entry, Entry::MatchStarted(_)),
            (_, MatchPhase::Running(playing)) if playing.is_reveal_due() => {
                matches!(entry, Entry::TurnRevealed(_))
            }
            (
                Entry::MoveMade(_) | Entry::MoveSealed(_) | Entry::TurnRevealed(_) | Entry::MatchEnded(_),
                _,
            ) => true,
            _ => !self.is_end_due(),
        };
        if fits { Ok(()) } else { Err(Fault::OutOfPlace) }
    }

    /// Returns whether the rules or the clocks have ended play, so that only the end can follow.
    fn is_end_due(&self) -> bool {
        self.playing_now().is_some_and(|playing| {
            let late = playing.clocks.as_ref().and_then(|clocks| clocks.overdue(self.record_time));
            late.is_some() || playing.state.ending().is_some()
        })
    }

    fn playing(&mut self) -> Result<&mut Playing, Fault> {
        match &mut self.phase {
            MatchPhase::Running(playing) => Ok(playing),
            MatchPhase::Open | MatchPhase::Over(_) => Err(Fault::OutOfPlace),
        }
    }

    /// Compares the current state with the digest in the event being applied.
    fn check_digest(&self, recorded: &[u8]) -> Result<(), Fault> {
        let playing = self.playing_now().ok_or(Fault::OutOfPlace)?;
        // Without the seed nobody can compute the digest.
        let Some(key) = &playing.digest_key else { return Ok(()) };
        let replayed = key.digest(self.seq, &playing.state.canonical());
        if replayed == recorded { Ok(()) } else { Err(Fault::DigestDiffers) }
    }

    fn applied(&self, event: &RedactedEvent, entry: Entry, effect: Effect) -> AppliedEvent {
        AppliedEvent {
            event: event.clone(),
            entry,
            opened: effect.opened,
            facts: effect.facts,
            moves_taken_back: effect.moves_taken_back,
            openness: Openness::of(self),
            clocks: self.playing_now().and_then(|playing| playing.clocks.clone()),
        }
    }
}
