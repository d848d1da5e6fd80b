//! The fold: one event applied to a position. Every event passes here, stored
//! ones when a match is loaded and new ones before they are stored, so a log that
//! would not replay is never written.

use prost::Message;
use rules::{BySeat, Seat, State};
use uuid::Uuid;
use wire::{log::v1 as log, v1 as proto};

use crate::{
    Entry, Fault, Phase, Position, Record, ReplayError, Sealed, Sitting, Told,
    chain::Link,
    convert,
    digest::DigestKey,
    position::{Created, Finished, Playing, waiting},
    seed,
    told::Opened,
};

/// What an event did to a position, beside changing it.
pub(crate) struct Effect {
    pub opened: Opened,
    pub facts: Vec<rules::Fact>,
}

impl Effect {
    fn opening(opened: Opened) -> Self {
        Self { opened, facts: Vec::new() }
    }
}

impl Position {
    /// The position after a match's first event.
    pub fn begin(match_id: Uuid, record: &Record) -> Result<(Self, Told), ReplayError> {
        let first = || {
            let entry = check_frame(match_id, None, record)?;
            let Entry::MatchCreated(created) = &entry else { return Err(Fault::OutOfPlace) };
            let position = Self {
                match_id,
                seq: record.seq,
                head_hash: record.hash,
                recorded_time: record.recorded_time,
                settled_seq: 0,
                created: create(created, record)?,
                seats: BySeat::new(None, None),
                started_time: None,
                phase: Phase::Open,
            };
            Ok((position, told(record, entry, Effect::opening(Opened::Nothing))))
        };
        first().map_err(|fault| ReplayError { match_id, seq: record.seq, fault })
    }

    /// Applies the next event. On an error the position is as it was.
    pub fn apply(&mut self, record: &Record) -> Result<Told, ReplayError> {
        let mut next = self.clone();
        let told = next.step(record).map_err(|fault| ReplayError {
            match_id: self.match_id,
            seq: record.seq,
            fault,
        })?;
        *self = next;
        Ok(told)
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
            Entry::MatchCreated(_) => return Err(Fault::OutOfPlace),
            Entry::SeatClaimed(claim) => self.claim(claim, record)?,
            Entry::MatchStarted(_) => self.start()?,
            Entry::MoveMade(made) => self.make_move(made)?,
            Entry::MoveSealed(choice) => self.seal_move(choice, record)?,
            Entry::TurnRevealed(turn) => self.reveal(turn)?,
            Entry::MatchEnded(end) => self.end(end)?,
        };
        Ok(told(record, entry, effect))
    }

    fn claim(&mut self, claim: &log::SeatClaimed, record: &Record) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(claim.seat).ok_or(Fault::Undecodable)?;
        let name = record.sealed.as_ref().and_then(|sealed| String::from_utf8(sealed.secret().to_vec()).ok());
        let player_name = name.ok_or(Fault::Undecodable)?;
        if !matches!(self.phase, Phase::Open) || self.seats[seat].is_some() {
            return Err(Fault::OutOfPlace);
        }
        if claim.entropy.len() > seed::MAX_ENTROPY_BYTES {
            return Err(Fault::Undecodable);
        }
        self.seats[seat] = Some(Sitting { player_name: player_name.clone(), entropy: claim.entropy.clone() });
        Ok(Effect::opening(Opened::PlayerName(player_name)))
    }

    fn start(&mut self) -> Result<Effect, Fault> {
        let (Phase::Open, Some(zero), Some(one)) =
            (&self.phase, &self.seats[Seat::Zero], &self.seats[Seat::One])
        else {
            return Err(Fault::OutOfPlace);
        };
        let entropy = BySeat::new(zero.entropy.clone(), one.entropy.clone());
        let seed = seed::derive(self.match_id, self.created.seed.secret(), &entropy);
        let state = State::setup(&self.created.options, &seed::for_rules(seed))
            .map_err(|bad| Fault::Refused(bad.illegal.paragraph))?;
        let digest_key = DigestKey::derive(&seed, self.match_id);
        self.phase = Phase::Running(Playing { state, digest_key, sealed: BySeat::new(None, None) });
        self.started_time = Some(self.recorded_time);
        Ok(Effect::opening(Opened::Nothing))
    }

    fn make_move(&mut self, entry: &log::MoveMade) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(entry.seat).ok_or(Fault::Undecodable)?;
        let made = entry.r#move.as_ref().and_then(|made| convert::move_from_wire(made).ok());
        let made = made.ok_or(Fault::Undecodable)?;
        let playing = self.playing()?;
        if playing.state.game().info().simultaneous {
            return Err(Fault::OutOfPlace);
        }
        let played = playing.state.play(seat, &made).map_err(|illegal| Fault::Refused(illegal.paragraph))?;
        playing.state = played.state;
        self.check_digest(&entry.state_digest)?;
        Ok(Effect { opened: Opened::Made(made), facts: played.facts })
    }

    fn seal_move(&mut self, entry: &log::MoveSealed, record: &Record) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(entry.seat).ok_or(Fault::Undecodable)?;
        let sealed = record.sealed.clone().ok_or(Fault::Undecodable)?;
        let made = decode_choice(&sealed)?;
        let playing = self.playing()?;
        if !playing.state.game().info().simultaneous {
            return Err(Fault::OutOfPlace);
        }
        let played = playing.state.play(seat, &made).map_err(|illegal| Fault::Refused(illegal.paragraph))?;
        playing.state = played.state;
        playing.sealed[seat] = Some(sealed);
        Ok(Effect { opened: Opened::Choice(seat, made), facts: played.facts })
    }

    fn reveal(&mut self, turn: &log::TurnRevealed) -> Result<Effect, Fault> {
        let playing = self.playing()?;
        let opened = BySeat::new(&turn.opened_zero, &turn.opened_one);
        let mut moves = Vec::new();
        for seat in Seat::ALL {
            let sealed = playing.sealed[seat].take().ok_or(Fault::OutOfPlace)?;
            if sealed.as_bytes() != opened[seat].as_slice() {
                return Err(Fault::WrongOpening);
            }
            moves.push((seat, decode_choice(&sealed)?));
        }
        let played = playing.state.reveal().ok_or(Fault::OutOfPlace)?;
        playing.state = played.state;
        self.check_digest(&turn.state_digest)?;
        Ok(Effect { opened: Opened::Turn(moves), facts: played.facts })
    }

    fn end(&mut self, end: &log::MatchEnded) -> Result<Effect, Fault> {
        if end.opened_seed != *self.created.seed.as_bytes() {
            return Err(Fault::WrongOpening);
        }
        let result = end.result.clone().ok_or(Fault::Undecodable)?;
        let by_rules = end.ended_by() == log::EndedBy::Rules;
        let finished = match &self.phase {
            Phase::Over(_) => return Err(Fault::OutOfPlace),
            Phase::Open if by_rules || !end.state_digest.is_empty() => return Err(Fault::OutOfPlace),
            Phase::Open => Finished::at(None, rules::Seats::NONE, result, self.recorded_time),
            Phase::Running(playing) => {
                if by_rules && Some(&result) != rules_result(&playing.state).as_ref() {
                    return Err(Fault::WrongResult);
                }
                self.check_digest(&end.state_digest)?;
                let sealed = waiting(&playing.sealed);
                Finished::at(Some(playing.state.clone()), sealed, result, self.recorded_time)
            }
        };
        self.phase = Phase::Over(finished);
        Ok(Effect::opening(Opened::SeedBytes(self.created.seed.secret().to_vec())))
    }

    fn playing(&mut self) -> Result<&mut Playing, Fault> {
        match &mut self.phase {
            Phase::Running(playing) => Ok(playing),
            Phase::Open | Phase::Over(_) => Err(Fault::OutOfPlace),
        }
    }

    /// The digest of the state as it stands, for the event with this position's seq.
    pub(crate) fn state_digest(&self) -> Option<[u8; 32]> {
        match &self.phase {
            Phase::Running(playing) => Some(playing.digest_key.digest(self.seq, &playing.state.canonical())),
            Phase::Open | Phase::Over(_) => None,
        }
    }

    fn check_digest(&self, recorded: &[u8]) -> Result<(), Fault> {
        let replayed = self.state_digest().ok_or(Fault::OutOfPlace)?;
        if replayed == recorded { Ok(()) } else { Err(Fault::DigestDiffers) }
    }
}

impl Finished {
    fn at(state: Option<State>, sealed: rules::Seats, result: proto::Result, ended_time: i64) -> Self {
        Self { state, sealed, result, ended_time }
    }
}

/// The result that the rules give, once they say that the match is over.
pub(crate) fn rules_result(state: &State) -> Option<proto::Result> {
    state.ending().map(|ending| proto::Result {
        winner: ending.winner.map(|seat| convert::seat_to_wire(seat).into()),
        reason: ending.reason.to_owned(),
    })
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

fn create(created: &log::MatchCreated, record: &Record) -> Result<Created, Fault> {
    let game = convert::pinned_game(&created.game, created.rules_version).ok_or_else(|| {
        Fault::UnknownRules { game: created.game.clone(), rules_version: created.rules_version }
    })?;
    let options = created.options.as_ref().and_then(|options| convert::options_from_wire(options).ok());
    let seed = record.sealed.clone().filter(|sealed| sealed.secret().len() == seed::SERVER_SEED_BYTES);
    Ok(Created {
        game,
        rules_version: created.rules_version,
        options: options.filter(|options| options.game() == game).ok_or(Fault::Undecodable)?,
        visibility: created.visibility,
        recorded_time: record.recorded_time,
        seed: seed.ok_or(Fault::Undecodable)?,
    })
}

fn decode_choice(sealed: &Sealed) -> Result<rules::Move, Fault> {
    let made = proto::Move::decode(sealed.secret()).map_err(|_| Fault::Undecodable)?;
    convert::move_from_wire(&made).map_err(|_| Fault::Undecodable)
}

fn told(record: &Record, entry: Entry, effect: Effect) -> Told {
    Told {
        seq: record.seq,
        recorded_time: record.recorded_time,
        hash: record.hash,
        commitment: record.sealed.as_ref().map(Sealed::commitment),
        entry,
        opened: effect.opened,
        facts: effect.facts,
    }
}
