//! Moves: made in the open, or sealed and revealed together.

use std::mem;

use event::{Part as _, RecordTime, RedactedEvent, Sealed, SealedPart, Seat};
use rules::{GameId, Move};
use wire::log::v1 as log;

use super::Effect;
use crate::applied::DecodedPart;
use crate::position::{Playing, sealed_seats};
use crate::{Fault, Position, convert};

impl Position {
    pub(super) fn make_move(&mut self, entry: &log::MoveMade) -> Result<Effect, Fault> {
        let at = self.record_time;
        let seat = self.seat(entry.seat)?;
        let mv = convert::move_from_log(self.game(), &entry.r#move).ok_or(Fault::ForeignToGame)?;
        let playing = self.playing()?;
        if playing.state.game().info().simultaneous {
            return Err(Fault::OutOfPlace);
        }
        if !playing.to_act().contains(seat) {
            return Err(Fault::NotToAct);
        }
        let played = playing.state.play(seat, &mv).map_err(|illegal| Fault::Refused(illegal.paragraph))?;
        let before = mem::replace(&mut playing.state, played.state);
        playing.stop_clock(seat, at)?;
        playing.remember_move(seat, before);
        playing.run_clocks(at);
        self.check_digest(&entry.state_digest)?;
        Ok(Effect { opened: DecodedPart::Move(mv), facts: played.facts, ..Effect::NONE })
    }

    pub(super) fn seal_move(
        &mut self,
        entry: &log::MoveSealed,
        event: &RedactedEvent,
    ) -> Result<Effect, Fault> {
        let seat = self.seat(entry.seat)?;
        let part = event.sealed.clone().ok_or(Fault::Undecodable)?;
        let playing = self.playing()?;
        if !playing.state.game().info().simultaneous {
            return Err(Fault::OutOfPlace);
        }
        if !playing.to_act().contains(seat) {
            return Err(Fault::NotToAct);
        }
        let effect = match &part {
            SealedPart::Open(sealed) => playing.choose(seat, sealed)?,
            SealedPart::Closed(_) => Effect::NONE,
        };
        playing.sealed[seat] = Some(part);
        playing.stop_clock(seat, event.record_time)?;
        playing.run_clocks(event.record_time);
        Ok(effect)
    }

    pub(super) fn reveal(&mut self, turn: &log::TurnRevealed) -> Result<Effect, Fault> {
        let at = self.record_time;
        let seats = turn.choices.iter().map(|choice| self.seat(choice.seat));
        let seats = seats.collect::<Result<Vec<_>, _>>()?;
        let playing = self.playing()?;
        // Every seat that had to choose has chosen, and each choice is opened, in order of seats.
        if !playing.to_act().is_empty() || !sealed_seats(&playing.sealed).iter().eq(seats.iter().copied()) {
            return Err(Fault::OutOfPlace);
        }
        let game = playing.state.game();
        let mut moves = Vec::new();
        for (seat, choice) in seats.into_iter().zip(&turn.choices) {
            let part = playing.sealed[seat].take().ok_or(Fault::OutOfPlace)?;
            let sealed = Sealed::opening(&choice.opened, part.commitment()).ok_or(Fault::WrongOpening)?;
            if part.opened().is_none() {
                playing.choose(seat, &sealed)?;
            }
            moves.push((seat, decode_choice(game, &sealed)?));
        }
        let played = playing.state.reveal().ok_or(Fault::OutOfPlace)?;
        playing.state = played.state;
        playing.run_clocks(at);
        self.check_digest(&turn.state_digest)?;
        Ok(Effect { opened: DecodedPart::Turn(moves), facts: played.facts, ..Effect::NONE })
    }
}

impl Playing {
    /// Plays a seat's choice on the state.
    fn choose(&mut self, seat: Seat, sealed: &Sealed) -> Result<Effect, Fault> {
        let mv = decode_choice(self.state.game(), sealed)?;
        let played = self.state.play(seat, &mv).map_err(|illegal| Fault::Refused(illegal.paragraph))?;
        self.state = played.state;
        Ok(Effect { opened: DecodedPart::Choice(seat, mv), facts: played.facts, ..Effect::NONE })
    }

    /// Stops a seat's clock after its move. Rejects a move after the seat's time.
    fn stop_clock(&mut self, seat: Seat, at: RecordTime) -> Result<(), Fault> {
        self.moved = true;
        if let Some(clocks) = &mut self.clocks {
            if clocks.overdue(at).is_some() {
                return Err(Fault::TooLate);
            }
            clocks.stop(seat, at);
        }
        Ok(())
    }

    /// Runs the clocks of the seats to act.
    pub(super) fn run_clocks(&mut self, at: RecordTime) {
        let to_act = self.to_act();
        if let Some(clocks) = &mut self.clocks {
            clocks.run(to_act, at);
        }
    }
}

fn decode_choice(game: GameId, sealed: &Sealed) -> Result<Move, Fault> {
    convert::move_from_log(game, sealed.secret()).ok_or(Fault::ForeignToGame)
}
