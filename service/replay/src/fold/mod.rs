//! The fold: one event applied to a position. Every event passes here, stored
//! ones when a match is loaded and new ones before they are stored, so a log that
//! would not replay is never written.

mod ending;
mod moves;
mod opening;

use uuid::Uuid;

use crate::chain::Link;
use crate::position::Playing;
use crate::told::{Opened, Openness};
use crate::{ChainHash, Entry, Fault, Phase, Position, Record, Redacted, ReplayError, SealedPart, Told};

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
    pub fn begin(match_id: Uuid, record: &Record) -> Result<(Self, Told), ReplayError> {
        Self::begin_copy(match_id, &record.into())
    }

    /// The same with the first event as a copy of the log has it.
    pub fn begin_copy(match_id: Uuid, record: &Redacted) -> Result<(Self, Told), ReplayError> {
        let first = || {
            let entry = Frame::before_first(match_id).check(record)?;
            let position = Self::first(match_id, &entry, record)?;
            let told = position.told(record, entry, Effect::NONE);
            Ok((position, told))
        };
        first().map_err(|fault| ReplayError { match_id, seq: record.seq, fault })
    }

    /// Applies the next event. On an error the position is as it was.
    pub fn apply(&mut self, record: &Record) -> Result<Told, ReplayError> {
        self.apply_copy(&record.into())
    }

    /// The same with the event as a copy of the log has it: what is not told is not judged.
    pub fn apply_copy(&mut self, record: &Redacted) -> Result<Told, ReplayError> {
        let mut next = self.clone();
        let told = next.go_on(record)?;
        *self = next;
        Ok(told)
    }

    /// The position after the next event, where nobody needs the one before if that event is wrong.
    pub fn followed_by(mut self, record: &Record) -> Result<Self, ReplayError> {
        self.go_on(&record.into())?;
        Ok(self)
    }

    /// The same without the copy that an error would need: after one the position is good for nothing.
    pub(crate) fn go_on(&mut self, record: &Redacted) -> Result<Told, ReplayError> {
        let match_id = self.match_id;
        self.step(record).map_err(|fault| ReplayError { match_id, seq: record.seq, fault })
    }

    fn step(&mut self, record: &Redacted) -> Result<Told, Fault> {
        let entry = self.frame().check(record)?;
        self.advance(record, &entry)
    }

    /// Applies an event whose place in the chain has been checked. On an error the position is of no use any more.
    pub(crate) fn advance(&mut self, record: &Redacted, entry: &Entry) -> Result<Told, Fault> {
        self.seq = record.seq;
        self.head_hash = record.hash;
        self.recorded_time = record.recorded_time;
        if matches!(entry, Entry::MoveMade(_) | Entry::TurnRevealed(_) | Entry::MatchEnded(_)) {
            self.settled_seq = record.seq;
        }
        let effect = match entry {
            Entry::MatchCreated(_) | Entry::MatchForked(_) => return Err(Fault::OutOfPlace),
            Entry::SeatClaimed(claim) => self.claim(claim, record)?,
            Entry::SeatTokenRotated(rotated) => self.rotate(rotated)?,
            Entry::MatchStarted(_) => self.start()?,
            Entry::MoveMade(made) => self.make_move(made)?,
            Entry::MoveSealed(choice) => self.seal_move(choice, record)?,
            Entry::TurnRevealed(turn) => self.reveal(turn)?,
            Entry::DrawOffered(offered) => self.offer_draw(offered)?,
            Entry::DrawDeclined(declined) => self.decline_draw(declined)?,
            Entry::MatchEnded(end) => self.end(end)?,
        };
        Ok(self.told(record, entry.clone(), effect))
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

    fn told(&self, record: &Redacted, entry: Entry, effect: Effect) -> Told {
        Told {
            seq: record.seq,
            recorded_time: record.recorded_time,
            hash: record.hash,
            commitment: record.sealed.as_ref().map(SealedPart::commitment),
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
    match_id: Uuid,
    last: Option<Last>,
}

/// What the next event is compared with.
#[derive(Clone, Copy)]
struct Last {
    seq: u32,
    hash: ChainHash,
    recorded_time: i64,
}

impl Frame {
    /// Where a match's first event has to fit.
    pub(crate) fn before_first(match_id: Uuid) -> Self {
        Self { match_id, last: None }
    }

    /// Where the event after this one has to fit.
    pub(crate) fn after(&self, record: &Redacted) -> Self {
        let last = Last { seq: record.seq, hash: record.hash, recorded_time: record.recorded_time };
        Self { match_id: self.match_id, last: Some(last) }
    }

    /// Checks what holds for every kind of event, and decodes the public part.
    pub(crate) fn check(&self, record: &Redacted) -> Result<Entry, Fault> {
        let expected = self.last.map_or(1, |last| last.seq + 1);
        if record.seq != expected {
            return Err(Fault::Gap { expected });
        }
        if self.last.is_some_and(|last| record.recorded_time <= last.recorded_time) {
            return Err(Fault::TimeNotGrowing);
        }
        let link = Link {
            previous: self.last.map(|last| last.hash),
            match_id: self.match_id,
            seq: record.seq,
            kind: record.kind,
            recorded_time: record.recorded_time,
            public: &record.public,
            commitment: record.sealed.as_ref().map(SealedPart::commitment),
        };
        if link.hash() != record.hash {
            return Err(Fault::BrokenChain);
        }
        Entry::decode(record.kind, record.public.clone())
    }
}
