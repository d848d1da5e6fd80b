//! The fold: one event applied to a position. Every event passes here, stored
//! ones when a match is loaded and new ones before they are stored, so a log that
//! would not replay is never written.

mod ending;
mod moves;
mod opening;

use uuid::Uuid;

use crate::{
    Entry, Fault, Phase, Position, Record, ReplayError, Sealed, Told,
    chain::Link,
    position::Playing,
    told::{Opened, Openness},
};

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
        let first = || {
            let entry = check_frame(match_id, None, record)?;
            let position = Self::first(match_id, &entry, record)?;
            let told = position.told(record, entry, Effect::NONE);
            Ok((position, told))
        };
        first().map_err(|fault| ReplayError { match_id, seq: record.seq, fault })
    }

    /// Applies the next event. On an error the position is as it was.
    pub fn apply(&mut self, record: &Record) -> Result<Told, ReplayError> {
        let mut next = self.clone();
        let told = next.advance(record)?;
        *self = next;
        Ok(told)
    }

    /// The same without the copy that an error would need: after one the position is good for nothing.
    pub(crate) fn advance(&mut self, record: &Record) -> Result<Told, ReplayError> {
        let match_id = self.match_id;
        self.step(record).map_err(|fault| ReplayError { match_id, seq: record.seq, fault })
    }

    fn step(&mut self, record: &Record) -> Result<Told, Fault> {
        let entry = check_frame(self.match_id, Some(self), record)?;
        self.seq = record.seq;
        self.head_hash = record.hash;
        self.recorded_time = record.recorded_time;
        if matches!(entry, Entry::MoveMade(_) | Entry::TurnRevealed(_) | Entry::MatchEnded(_)) {
            self.settled_seq = record.seq;
        }
        let effect = match &entry {
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
        Ok(self.told(record, entry, effect))
    }

    fn playing(&mut self) -> Result<&mut Playing, Fault> {
        match &mut self.phase {
            Phase::Running(playing) => Ok(playing),
            Phase::Open | Phase::Over(_) => Err(Fault::OutOfPlace),
        }
    }

    /// The digest of the state as it stands, for the event with this position's seq.
    fn state_digest(&self) -> Option<[u8; 32]> {
        let playing = self.playing_now()?;
        Some(playing.digest_key.digest(self.seq, &playing.state.canonical()))
    }

    fn check_digest(&self, recorded: &[u8]) -> Result<(), Fault> {
        let replayed = self.state_digest().ok_or(Fault::OutOfPlace)?;
        if replayed == recorded { Ok(()) } else { Err(Fault::DigestDiffers) }
    }

    fn told(&self, record: &Record, entry: Entry, effect: Effect) -> Told {
        Told {
            seq: record.seq,
            recorded_time: record.recorded_time,
            hash: record.hash,
            commitment: record.sealed.as_ref().map(Sealed::commitment),
            entry,
            opened: effect.opened,
            facts: effect.facts,
            openness: Openness::of(self),
        }
    }
}

/// Checks what holds for every kind of event, and decodes the public part.
fn check_frame(match_id: Uuid, before: Option<&Position>, record: &Record) -> Result<Entry, Fault> {
    let expected = before.map_or(1, |position| position.seq + 1);
    if record.seq != expected {
        return Err(Fault::Gap { expected });
    }
    if before.is_some_and(|position| record.recorded_time <= position.recorded_time) {
        return Err(Fault::TimeNotGrowing);
    }
    let link = Link {
        previous: before.map(|position| position.head_hash),
        match_id,
        seq: record.seq,
        kind: record.kind,
        recorded_time: record.recorded_time,
        public: &record.public,
        commitment: record.sealed.as_ref().map(Sealed::commitment),
    };
    if link.hash() != record.hash {
        return Err(Fault::BrokenChain);
    }
    Entry::decode(record.kind, record.public.clone())
}
