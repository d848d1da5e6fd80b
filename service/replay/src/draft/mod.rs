//! New events: built for a position and folded at once, so that what is handed
//! out for storing is known to replay. Salts and times come from the caller.

mod ending;

use event::{Event, Link, MatchId, Part as _, RecordedTime, SALT_BYTES, Sealed, SealedPart, Seq};
use prost::Message;
use rules::{Illegal, Move, Options, Seat, State};
use wire::log::v1 as log;
use wire::v1 as proto;

use crate::position::Playing;
use crate::{Entry, Fault, ForkedPosition, Position, ReplayError, Timing, Told, convert};

/// What a match begins with.
pub struct NewMatch {
    /// Its id, fresh.
    pub match_id: MatchId,
    /// Where play begins.
    pub origin: Origin,
    /// Who may know of it.
    pub visibility: proto::Visibility,
    /// Its clocks; none if it has none.
    pub timing: Option<Timing>,
    /// A fresh salt for the commitment to the service's bytes of the seed.
    pub salt: [u8; SALT_BYTES],
    /// The service's bytes of the seed.
    pub seed_bytes: [u8; crate::SERVER_SEED_BYTES],
}

/// Where play begins.
pub enum Origin {
    /// At the opening.
    Opening {
        /// The game's options, which also name the game.
        options: Options,
        /// The match that this is the rematch of.
        rematch_of: Option<MatchId>,
    },
    /// At a position of another match.
    Fork(ForkedPosition),
}

/// Events that belong together, not stored yet, and what they lead to. After a [`ReplayError`] it is good for nothing.
pub struct Draft {
    position: Position,
    arrival: RecordedTime,
    events: Vec<Event>,
    told: Vec<Told>,
}

/// A finished draft.
pub struct Ended {
    /// The position after the last new event.
    pub position: Position,
    /// To be stored whole or not at all.
    pub events: Vec<Event>,
    /// The same events for showing, once they are durable.
    pub told: Vec<Told>,
}

/// Why a move got no event.
#[derive(Debug, thiserror::Error)]
pub enum Unmade {
    /// The rules refuse it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// A fault of ours: the event would not replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Draft {
    /// The first event of a match. `arrival` is the database's clock, in
    /// microseconds since 1970.
    pub fn create(new: &NewMatch, arrival: RecordedTime) -> Result<Self, ReplayError> {
        let entry = match &new.origin {
            Origin::Opening { options, rematch_of } => {
                Entry::MatchCreated(created(new, options, *rematch_of))
            }
            Origin::Fork(forked) => Entry::MatchForked(forked_entry(new, forked)),
        };
        let seed = Sealed::new(new.salt, &new.seed_bytes);
        let event = frame(new.match_id, None, arrival, &entry, Some(seed));
        let (position, told) = Position::begin(new.match_id, &event)?;
        Ok(Self { position, arrival, events: vec![event], told: vec![told] })
    }

    /// Events that follow a position.
    pub fn after(position: &Position, arrival: RecordedTime) -> Self {
        Self { position: position.clone(), arrival, events: Vec::new(), told: Vec::new() }
    }

    /// The position after the events drafted so far.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Hands out the events and what they lead to.
    pub fn finish(self) -> Ended {
        Ended { position: self.position, events: self.events, told: self.told }
    }

    /// A player takes a seat; the second one starts the match.
    pub fn claim(
        &mut self,
        seat: Seat,
        player_name: &str,
        entropy: Vec<u8>,
        salt: [u8; SALT_BYTES],
    ) -> Result<(), ReplayError> {
        let seat_number = convert::seat_to_wire(seat).into();
        let entry = Entry::SeatClaimed(log::SeatClaimed { seat: seat_number, entropy });
        self.push(&entry, Some(Sealed::new(salt, player_name.as_bytes())))?;
        if self.position.sitting(seat.other()).is_some() {
            self.push(&Entry::MatchStarted(log::MatchStarted {}), None)?;
        }
        Ok(())
    }

    /// A seat's move, with all that follows from it at once: the reveal of a
    /// turn, the end of the match. `salt` is used if the game seals its choices.
    pub fn submit(&mut self, seat: Seat, made: &Move, salt: [u8; SALT_BYTES]) -> Result<(), Unmade> {
        let simultaneous = self.position.game().info().simultaneous;
        if simultaneous {
            self.seal(seat, made, salt)?;
        } else {
            self.make(seat, made)?;
        }
        self.end_by_rules()?;
        Ok(())
    }

    fn make(&mut self, seat: Seat, made: &Move) -> Result<(), Unmade> {
        let seq = self.position.seq.next();
        let playing = self.playing()?;
        let played = playing.state.play(seat, made)?;
        let entry = Entry::MoveMade(log::MoveMade {
            seat: convert::seat_to_wire(seat).into(),
            r#move: Some(convert::move_to_wire(made)),
            state_digest: self.digest(seq, playing, &played.state)?,
        });
        Ok(self.push(&entry, None)?)
    }

    fn seal(&mut self, seat: Seat, made: &Move, salt: [u8; SALT_BYTES]) -> Result<(), Unmade> {
        // Asked before the event exists, so that a refusal is the player's and
        // not a fault of the log.
        self.playing()?.state.play(seat, made)?;
        let entry = Entry::MoveSealed(log::MoveSealed { seat: convert::seat_to_wire(seat).into() });
        let sealed = Sealed::new(salt, &convert::move_to_wire(made).encode_to_vec());
        self.push(&entry, Some(sealed))?;
        Ok(self.reveal()?)
    }

    fn reveal(&mut self) -> Result<(), ReplayError> {
        let seq = self.position.seq.next();
        let playing = self.playing()?;
        let (Some(zero), Some(one)) = (&playing.sealed[Seat::Zero], &playing.sealed[Seat::One]) else {
            return Ok(());
        };
        let played = playing.state.reveal().ok_or_else(|| self.fault(Fault::OutOfPlace))?;
        let open = |part: &SealedPart| part.opened().map(|sealed| sealed.as_bytes().to_vec());
        let entry = Entry::TurnRevealed(log::TurnRevealed {
            opened_zero: open(zero).ok_or_else(|| self.fault(Fault::SeedSealed))?,
            opened_one: open(one).ok_or_else(|| self.fault(Fault::SeedSealed))?,
            state_digest: self.digest(seq, playing, &played.state)?,
        });
        self.push(&entry, None)
    }

    /// A claimed seat gets its next token.
    pub fn rotate(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let sitting = self.position.sitting(seat).ok_or_else(|| self.fault(Fault::OutOfPlace))?;
        let generation = sitting.generation.saturating_add(1);
        let seat = convert::seat_to_wire(seat).into();
        self.push(&Entry::SeatTokenRotated(log::SeatTokenRotated { seat, generation }), None)
    }

    fn playing(&self) -> Result<&Playing, ReplayError> {
        self.position.playing_now().ok_or_else(|| self.fault(Fault::OutOfPlace))
    }

    fn digest(&self, seq: Seq, playing: &Playing, state: &State) -> Result<Vec<u8>, ReplayError> {
        let key = playing.digest_key.as_ref().ok_or_else(|| self.fault(Fault::SeedSealed))?;
        Ok(key.digest(seq, &state.canonical()).to_vec())
    }

    fn fault(&self, fault: Fault) -> ReplayError {
        ReplayError { match_id: self.position.match_id, seq: self.position.seq.next(), fault }
    }

    fn push(&mut self, entry: &Entry, sealed: Option<Sealed>) -> Result<(), ReplayError> {
        let before = &self.position;
        let event = frame(before.match_id, Some(before), self.arrival, entry, sealed);
        let told = self.position.go_on(&event)?;
        self.events.push(event);
        self.told.push(told);
        Ok(())
    }
}

fn created(new: &NewMatch, options: &Options, rematch_of: Option<MatchId>) -> log::MatchCreated {
    let game = options.game();
    log::MatchCreated {
        game: game.as_str().to_owned(),
        rules_version: game.info().rules_version,
        options: Some(convert::options_to_wire(options)),
        visibility: new.visibility.into(),
        time_control: new.timing.map(|timing| timing.control.to_wire()),
        grace_ms: new.timing.map_or(0, |timing| timing.grace_ms),
        rematch_of: rematch_of.map(|id| id.0.as_bytes().to_vec()),
    }
}

fn forked_entry(new: &NewMatch, forked: &ForkedPosition) -> log::MatchForked {
    log::MatchForked {
        game: forked.game.as_str().to_owned(),
        rules_version: forked.rules_version,
        options: Some(convert::options_to_wire(&forked.options)),
        visibility: new.visibility.into(),
        time_control: new.timing.map(|timing| timing.control.to_wire()),
        grace_ms: new.timing.map_or(0, |timing| timing.grace_ms),
        parent_match_id: forked.parent.match_id.0.as_bytes().to_vec(),
        parent_seq: forked.parent.seq.0,
        parent_hash: forked.parent.hash.to_vec(),
        setup_seed: forked.seed_to_log(),
        moves: forked.moves_to_log(),
    }
}

/// Puts an entry into its place in the chain.
fn frame(
    match_id: MatchId,
    before: Option<&Position>,
    arrival: RecordedTime,
    entry: &Entry,
    sealed: Option<Sealed>,
) -> Event {
    let seq = before.map_or(Seq::FIRST, |position| position.seq.next());
    // Times grow strictly even when the clock stands still.
    let recorded_time = before.map_or(arrival, |position| arrival.max(position.recorded_time.next()));
    let kind = entry.kind().number();
    let public = entry.encode();
    let link = Link {
        previous: before.map(|position| position.head_hash),
        match_id,
        seq,
        kind,
        recorded_time,
        public: &public,
        commitment: sealed.as_ref().map(Sealed::commitment),
    };
    Event { seq, recorded_time, kind, hash: link.hash(), public, sealed }
}
