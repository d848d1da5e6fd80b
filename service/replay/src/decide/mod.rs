//! Decides new events: builds them for a position and applies them at once, so that every event handed out
//! for storing is known to replay. Salts and times come from the caller.

mod create;
mod ending;
mod proposals;

use event::{Event, Link, MatchId, Part as _, RecordTime, SALT_BYTES, Sealed, SealedPart, Seat, Seq};
use prost::Message as _;
use rules::{Illegal, Move};
use wire::log::v1 as log;

use crate::position::Playing;
use crate::{AppliedEvent, Entry, Fault, GameState, Position, ReplayError, convert};

pub use create::{NewMatch, StartingPosition};

/// New events on top of a position, not stored yet. After a [`ReplayError`] it is undefined and must be
/// dropped.
pub struct Decision {
    position: Position,
    arrival: RecordTime,
    events: Vec<Event>,
    applied: Vec<AppliedEvent>,
}

/// The contents of a [`Decision`].
pub struct Decided {
    /// The position after the last new event.
    pub position: Position,
    /// The new events, to be stored together or not at all.
    pub events: Vec<Event>,
    /// The same events with what they produced, to be shown once they are durable.
    pub applied: Vec<AppliedEvent>,
}

impl Decided {
    /// Leaves out the players of claims: the stored log commits to them, and they are kept elsewhere.
    #[must_use]
    pub fn without_players(mut self) -> Self {
        self.position.withhold_players();
        self.applied.iter_mut().for_each(AppliedEvent::withhold_player);
        self
    }
}

/// Returns the sealed part of a claim: what the log commits to of its player.
pub fn seal_player(display_name: &str, salt: [u8; SALT_BYTES]) -> Sealed {
    let player = log::Player { display_name: display_name.to_owned() };
    Sealed::new(salt, &player.encode_to_vec())
}

/// Why a move leads to no event.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The rules reject the move.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The event would not replay, which is a bug of ours.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Decision {
    /// Decides nothing yet. `arrival` is the time of the request on the database's clock.
    pub fn on(position: &Position, arrival: RecordTime) -> Self {
        Self { position: position.clone(), arrival, events: Vec::new(), applied: Vec::new() }
    }

    /// Returns the position after the events decided so far.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Hands out the events.
    pub fn finish(self) -> Decided {
        Decided { position: self.position, events: self.events, applied: self.applied }
    }

    /// Claims a seat. The last claim starts the match.
    pub fn claim(
        &mut self,
        seat: Seat,
        display_name: &str,
        entropy: Vec<u8>,
        salt: [u8; SALT_BYTES],
    ) -> Result<(), ReplayError> {
        let seat_number = Some(convert::seat_to_wire(seat));
        let entry = Entry::SeatClaimed(log::SeatClaimed { seat: seat_number, entropy });
        self.push(&entry, Some(seal_player(display_name, salt)))?;
        if self.position.is_full() {
            self.push(&Entry::MatchStarted(log::MatchStarted {}), None)?;
        }
        Ok(())
    }

    /// Makes a seat's move, with everything that follows from it at once: the reveal of a turn, the end of
    /// the match. Games with open moves ignore `salt`.
    pub fn submit(&mut self, seat: Seat, mv: &Move, salt: [u8; SALT_BYTES]) -> Result<(), SubmitError> {
        if self.position.game().info().simultaneous {
            self.seal(seat, mv, salt)?;
        } else {
            self.make_move(seat, mv)?;
        }
        self.end_by_rules()?;
        Ok(())
    }

    fn make_move(&mut self, seat: Seat, mv: &Move) -> Result<(), SubmitError> {
        let playing = self.playing()?;
        let played = playing.state.play(seat, mv)?;
        let entry = Entry::MoveMade(log::MoveMade {
            seat: Some(convert::seat_to_wire(seat)),
            r#move: convert::move_to_log(mv),
            state_digest: self.digest(playing, &played.state)?,
        });
        Ok(self.push(&entry, None)?)
    }

    fn seal(&mut self, seat: Seat, mv: &Move, salt: [u8; SALT_BYTES]) -> Result<(), SubmitError> {
        // Ask the rules first: an illegal move is the player's mistake, not a fault of the log.
        self.playing()?.state.play(seat, mv)?;
        let entry = Entry::MoveSealed(log::MoveSealed { seat: Some(convert::seat_to_wire(seat)) });
        let sealed = Sealed::new(salt, &convert::move_to_log(mv));
        self.push(&entry, Some(sealed))?;
        Ok(self.reveal()?)
    }

    /// Reveals the turn if every seat has chosen.
    fn reveal(&mut self) -> Result<(), ReplayError> {
        let playing = self.playing()?;
        if !playing.to_act().is_empty() {
            return Ok(());
        }
        let played = playing.state.reveal().ok_or_else(|| self.error(Fault::OutOfPlace))?;
        let open = |seat: Seat, part: &SealedPart| {
            let opened = part.opened().ok_or_else(|| self.error(Fault::SeedSealed))?.as_bytes().to_vec();
            Ok(log::OpenedChoice { seat: Some(convert::seat_to_wire(seat)), opened })
        };
        let chosen = playing.sealed.iter().filter_map(|(seat, part)| Some((seat, part.as_ref()?)));
        let choices = chosen.map(|(seat, part)| open(seat, part));
        let entry = Entry::TurnRevealed(log::TurnRevealed {
            choices: choices.collect::<Result<_, _>>()?,
            state_digest: self.digest(playing, &played.state)?,
        });
        self.push(&entry, None)
    }

    /// Replaces a claimed seat's token.
    pub fn rotate(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let seating = self.position.seating(seat).ok_or_else(|| self.error(Fault::OutOfPlace))?;
        let generation = seating.generation.saturating_add(1);
        let seat = Some(convert::seat_to_wire(seat));
        self.push(&Entry::SeatTokenRotated(log::SeatTokenRotated { seat, generation }), None)
    }

    fn playing(&self) -> Result<&Playing, ReplayError> {
        self.position.playing_now().ok_or_else(|| self.error(Fault::OutOfPlace))
    }

    /// Computes the digest of the state after the next event.
    fn digest(&self, playing: &Playing, state: &GameState) -> Result<Vec<u8>, ReplayError> {
        let key = playing.digest_key.as_ref().ok_or_else(|| self.error(Fault::SeedSealed))?;
        Ok(key.digest(self.position.seq.next(), &state.canonical()).to_vec())
    }

    fn error(&self, fault: Fault) -> ReplayError {
        ReplayError { match_id: self.position.match_id, seq: self.position.seq.next(), fault }
    }

    fn push(&mut self, entry: &Entry, sealed: Option<Sealed>) -> Result<(), ReplayError> {
        let event = link(self.position.match_id, Some(&self.position), self.arrival, entry, sealed);
        let applied = self.position.apply(&event)?;
        self.events.push(event);
        self.applied.push(applied);
        Ok(())
    }
}

/// Links an entry to the end of a chain.
fn link(
    match_id: MatchId,
    previous: Option<&Position>,
    arrival: RecordTime,
    entry: &Entry,
    sealed: Option<Sealed>,
) -> Event {
    let seq = previous.map_or(Seq::FIRST, |position| position.seq.next());
    // Record times increase strictly even if the clock stops or runs backwards.
    let record_time = previous.map_or(arrival, |position| arrival.max(position.record_time.next()));
    let kind = entry.kind().number();
    let public = entry.public_bytes();
    let link = Link {
        previous: previous.map(|position| position.head_hash),
        match_id,
        seq,
        kind,
        record_time,
        public: &public,
        commitment: sealed.as_ref().map(Sealed::commitment),
    };
    Event { seq, record_time, kind, hash: link.hash(), public, sealed }
}
