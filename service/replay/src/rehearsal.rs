//! A position rebuilt by a client from the events that it was shown. Only for
//! games in which events tell everything; nothing here sees a stored log.

use rules::{Options, Seed, State};
use wire::v1 as proto;

use crate::convert::{move_from_wire, options_from_wire, pinned_game, seat_from_wire};

/// A client's own copy of a match without secrets.
pub struct Rehearsal {
    state: State,
    seq: u32,
}

/// Why a match can't be rebuilt from what was shown of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Astray {
    /// The events do not begin with the match's creation.
    #[error("the match does not begin with its creation")]
    Beginning,
    /// Events of this game leave out what only some may know.
    #[error("events of this game do not tell everything")]
    Untold,
    /// The game, its rules version or its options are not known to this build.
    #[error("this build does not know the match's rules")]
    UnknownRules,
    /// An event is not the next one, or one that these rules would not allow.
    #[error("event {0} does not follow from those before it")]
    Event(u32),
}

impl Rehearsal {
    /// The opening of the match that begins with this event.
    pub fn begin(first: &proto::Event) -> Result<Self, Astray> {
        let Some(proto::event::Kind::MatchCreated(created)) = &first.kind else {
            return Err(Astray::Beginning);
        };
        let game = pinned_game(&created.game, created.rules_version).ok_or(Astray::UnknownRules)?;
        let info = game.info();
        if info.secrets || info.simultaneous || info.chance {
            return Err(Astray::Untold);
        }
        let options = created.options.as_ref().and_then(|options| options_from_wire(options).ok());
        let state = options
            .filter(|options: &Options| options.game() == game)
            // Without chance the seed is ignored (G-5).
            .and_then(|options| State::setup(&options, &Seed::new([0; 32])).ok());
        Ok(Self { state: state.ok_or(Astray::UnknownRules)?, seq: first.seq })
    }

    /// Takes the next event in.
    pub fn follow(&mut self, event: &proto::Event) -> Result<(), Astray> {
        let astray = Astray::Event(event.seq);
        if event.seq != self.seq + 1 {
            return Err(astray);
        }
        if let Some(proto::event::Kind::MoveMade(made)) = &event.kind {
            let seat = seat_from_wire(made.seat).ok_or(astray)?;
            let made = made.r#move.as_ref().and_then(|made| move_from_wire(made).ok()).ok_or(astray)?;
            self.state = self.state.play(seat, &made).map_err(|_| astray)?.state;
        }
        self.seq = event.seq;
        Ok(())
    }

    /// The position after the last event. It does not know of endings outside the
    /// rules, such as a resignation.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The seq of the last event taken in.
    #[must_use]
    pub const fn seq(&self) -> u32 {
        self.seq
    }
}
