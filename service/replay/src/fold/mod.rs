//! The fold: one event applied to a position. Every event passes here, stored
//! ones when a match is loaded and new ones before they are stored, so a log that
//! would not replay is never written.

mod ending;
mod moves;
mod opening;

use event::{ChainHash, Event, MatchId, Part, RecordedTime, RedactedEvent, Seq};

use crate::position::Playing;
use crate::told::{Opened, Openness};
use crate::{Entry, Fault, Phase, Position, ReplayError, Told};

pub(crate) use ending::rules_result;

/// What an event did to a position, beside changing it.
struct Effect {
    opened: Opened,
    facts: Vec<rules::Fact>,
}

impl Effect {
    /// An event that touches no piece or card.
    fn opening(opened: Opened) -> Self {
        Self { opened, facts: Vec::new() }
    }

    const NONE: Self = Self { opened: Opened::Nothing, facts: Vec::new() };
}

impl Position {
    /// The position after a match's first event.
    pub fn begin<P: Part>(match_id: MatchId, event: &Event<P>) -> Result<(Self, Told), ReplayError> {
        let first = || {
            let event = event.to_part();
            let entry = Frame::before_first(match_id).check(&event)?;
            let position = Self::first(match_id, &entry, &event)?;
            let told = position.told(&event, entry, Effect::NONE);
            Ok((position, told))
        };
        first().map_err(|fault| ReplayError { match_id, seq: event.seq, fault })
    }

    /// Applies the next event. On an error the position is as it was. What a redacted event leaves out is not checked.
    pub fn apply<P: Part>(&mut self, event: &Event<P>) -> Result<Told, ReplayError> {
        let mut next = self.clone();
        let told = next.go_on(event)?;
        *self = next;
        Ok(told)
    }

    /// The position after the next event, where nobody needs the one before if that event is wrong.
    pub fn followed_by<P: Part>(mut self, event: &Event<P>) -> Result<Self, ReplayError> {
        self.go_on(event)?;
        Ok(self)
    }

    /// The same without the copy that an error would need: after one the position is good for nothing.
    pub(crate) fn go_on<P: Part>(&mut self, event: &Event<P>) -> Result<Told, ReplayError> {
        let match_id = self.match_id;
        self.step(&event.to_part()).map_err(|fault| ReplayError { match_id, seq: event.seq, fault })
    }

    fn step(&mut self, event: &RedactedEvent) -> Result<Told, Fault> {
        let entry = self.frame().check(event)?;
        self.advance(event, &entry)
    }

    /// Applies an event whose place in the chain has been checked. On an error the position is of no use any more.
    pub(crate) fn advance(&mut self, event: &RedactedEvent, entry: &Entry) -> Result<Told, Fault> {
        self.seq = event.seq;
        self.head_hash = event.hash;
        self.recorded_time = event.recorded_time;
        if matches!(entry, Entry::MoveMade(_) | Entry::TurnRevealed(_) | Entry::MatchEnded(_)) {
            self.settled_seq = event.seq;
        }
        let effect = match entry {
            Entry::MatchCreated(_) | Entry::MatchForked(_) => return Err(Fault::OutOfPlace),
            Entry::SeatClaimed(claim) => self.claim(claim, event)?,
            Entry::SeatTokenRotated(rotated) => self.rotate(rotated)?,
            Entry::MatchStarted(_) => self.start()?,
            Entry::MoveMade(made) => self.make_move(made)?,
            Entry::MoveSealed(choice) => self.seal_move(choice, event)?,
            Entry::TurnRevealed(turn) => self.reveal(turn)?,
            Entry::DrawOffered(offered) => self.offer_draw(offered)?,
            Entry::DrawDeclined(declined) => self.decline_draw(declined)?,
            Entry::MatchEnded(end) => self.end(end)?,
        };
        Ok(self.told(event, entry.clone(), effect))
    }

    fn frame(&self) -> Frame {
        let last = Last { seq: self.seq, hash: self.head_hash, recorded_time: self.recorded_time };
        Frame { match_id: self.match_id, last: Some(last) }
    }

    fn playing(&mut self) -> Result<&mut Playing, Fault> {
        match &mut self.phase {
            Phase::Running(playing) => Ok(playing),
            Phase::Open | Phase::Over(_) => Err(Fault::OutOfPlace),
        }
    }

    /// Compares the digest of the state as it stands, for the event with this position's seq.
    fn check_digest(&self, recorded: &[u8]) -> Result<(), Fault> {
        let playing = self.playing_now().ok_or(Fault::OutOfPlace)?;
        // Without the seed nobody can say what the digest should be.
        let Some(key) = &playing.digest_key else { return Ok(()) };
        let replayed = key.digest(self.seq, &playing.state.canonical());
        if replayed == recorded { Ok(()) } else { Err(Fault::DigestDiffers) }
    }

    fn told(&self, event: &RedactedEvent, entry: Entry, effect: Effect) -> Told {
        Told {
            seq: event.seq,
            recorded_time: event.recorded_time,
            hash: event.hash,
            commitment: event.commitment(),
            entry,
            opened: effect.opened,
            facts: effect.facts,
            openness: Openness::of(self),
        }
    }
}

/// Where an event has to fit: the match, and the event before it.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    match_id: MatchId,
    last: Option<Last>,
}

/// What the next event is compared with.
#[derive(Clone, Copy)]
struct Last {
    seq: Seq,
    hash: ChainHash,
    recorded_time: RecordedTime,
}

impl Frame {
    /// Where a match's first event has to fit.
    pub(crate) fn before_first(match_id: MatchId) -> Self {
        Self { match_id, last: None }
    }

    /// Where the event after this one has to fit.
    pub(crate) fn after(&self, event: &RedactedEvent) -> Self {
        let last = Last { seq: event.seq, hash: event.hash, recorded_time: event.recorded_time };
        Self { match_id: self.match_id, last: Some(last) }
    }

    /// Checks what holds for every kind of event, and decodes the public part.
    pub(crate) fn check(&self, event: &RedactedEvent) -> Result<Entry, Fault> {
        let expected = self.last.map_or(Seq::FIRST, |last| last.seq.next());
        if event.seq != expected {
            return Err(Fault::Gap { expected });
        }
        if self.last.is_some_and(|last| event.recorded_time <= last.recorded_time) {
            return Err(Fault::TimeNotGrowing);
        }
        let link = event.link(self.match_id, self.last.map(|last| last.hash));
        if link.hash() != event.hash {
            return Err(Fault::BrokenChain);
        }
        Entry::decode(event.kind, event.public.clone())
    }
}
