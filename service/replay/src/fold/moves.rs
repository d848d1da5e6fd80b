//! Moves: made in the open, or sealed and revealed together.

use event::{Part as _, RecordedTime, RedactedEvent, Sealed, SealedPart};
use prost::Message;
use rules::{BySeat, Seat};
use wire::log::v1 as log;
use wire::v1 as proto;

use super::Effect;
use crate::position::Playing;
use crate::told::Opened;
use crate::{Fault, Position, convert};

impl Position {
    pub(super) fn make_move(&mut self, entry: &log::MoveMade) -> Result<Effect, Fault> {
        let at = self.recorded_time;
        let seat = convert::seat_from_wire(entry.seat).ok_or(Fault::Undecodable)?;
        let made = entry.r#move.as_ref().and_then(|made| convert::move_from_wire(made).ok());
        let made = made.ok_or(Fault::Undecodable)?;
        let playing = self.playing()?;
        if playing.state.game().info().simultaneous {
            return Err(Fault::OutOfPlace);
        }
        let played = playing.state.play(seat, &made).map_err(|illegal| Fault::Refused(illegal.paragraph))?;
        playing.state = played.state;
        playing.has_moved(seat, at)?;
        self.check_digest(&entry.state_digest)?;
        Ok(Effect { opened: Opened::Made(made), facts: played.facts })
    }

    pub(super) fn seal_move(
        &mut self,
        entry: &log::MoveSealed,
        event: &RedactedEvent,
    ) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(entry.seat).ok_or(Fault::Undecodable)?;
        let part = event.sealed.clone().ok_or(Fault::Undecodable)?;
        let playing = self.playing()?;
        if !playing.state.game().info().simultaneous {
            return Err(Fault::OutOfPlace);
        }
        let effect = match &part {
            SealedPart::Open(sealed) => playing.choose(seat, sealed)?,
            SealedPart::Closed(_) if playing.to_act().contains(seat) => Effect::NONE,
            SealedPart::Closed(_) => return Err(Fault::OutOfPlace),
        };
        playing.sealed[seat] = Some(part);
        playing.has_moved(seat, event.recorded_time)?;
        Ok(effect)
    }

    pub(super) fn reveal(&mut self, turn: &log::TurnRevealed) -> Result<Effect, Fault> {
        let at = self.recorded_time;
        let playing = self.playing()?;
        let opened = BySeat::new(&turn.opened_zero, &turn.opened_one);
        let mut moves = Vec::new();
        for seat in Seat::ALL {
            let part = playing.sealed[seat].take().ok_or(Fault::OutOfPlace)?;
            let sealed = Sealed::opening(opened[seat], part.commitment()).ok_or(Fault::WrongOpening)?;
            if part.opened().is_none() {
                playing.choose(seat, &sealed)?;
            }
            moves.push((seat, decode_choice(&sealed)?));
        }
        let played = playing.state.reveal().ok_or(Fault::OutOfPlace)?;
        playing.state = played.state;
        playing.let_clocks_run(at);
        self.check_digest(&turn.state_digest)?;
        Ok(Effect { opened: Opened::Turn(moves), facts: played.facts })
    }
}

impl Playing {
    /// Takes a seat's choice into the state.
    fn choose(&mut self, seat: Seat, sealed: &Sealed) -> Result<Effect, Fault> {
        let made = decode_choice(sealed)?;
        let played = self.state.play(seat, &made).map_err(|illegal| Fault::Refused(illegal.paragraph))?;
        self.state = played.state;
        Ok(Effect { opened: Opened::Choice(seat, made), facts: played.facts })
    }

    /// Everything that a seat's move does beside changing the state. A move after the seat's time is no move.
    fn has_moved(&mut self, seat: Seat, at: RecordedTime) -> Result<(), Fault> {
        self.moved = true;
        self.draws.moved(seat);
        if let Some(clocks) = &mut self.clocks {
            if clocks.overdue(at).is_some() {
                return Err(Fault::TooLate);
            }
            clocks.moved(seat, at);
        }
        self.let_clocks_run(at);
        Ok(())
    }

    fn let_clocks_run(&mut self, at: RecordedTime) {
        let to_act = self.to_act();
        if let Some(clocks) = &mut self.clocks {
            clocks.run(to_act, at);
        }
    }
}

fn decode_choice(sealed: &Sealed) -> Result<rules::Move, Fault> {
    let made = proto::Move::decode(sealed.secret()).map_err(|_| Fault::Undecodable)?;
    convert::move_from_wire(&made).map_err(|_| Fault::Undecodable)
}
