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
    /// The first position of the match that begins with this event; in a fork, the
    /// one that it goes on from.
    pub fn begin(first: &proto::Event) -> Result<Self, Astray> {
        use proto::event::Kind;
        let state = match &first.kind {
            Some(Kind::MatchCreated(created)) => {
                opening(&created.game, created.rules_version, created.options.as_ref())?
            }
            Some(Kind::MatchForked(forked)) => {
                let opening = opening(&forked.game, forked.rules_version, forked.options.as_ref())?;
                let after =
                    |state, made: &proto::RevealedMove| advanced(&state, made.seat, made.r#move.as_ref());
                forked.moves.iter().try_fold(opening, after).ok_or(Astray::Event(first.seq))?
            }
            _ => return Err(Astray::Beginning),
        };
        Ok(Self { state, seq: first.seq })
    }

    /// Takes the next event in.
    pub fn follow(&mut self, event: &proto::Event) -> Result<(), Astray> {
        let astray = Astray::Event(event.seq);
        if event.seq != self.seq + 1 {
            return Err(astray);
        }
        if let Some(proto::event::Kind::MoveMade(made)) = &event.kind {
            self.state = advanced(&self.state, made.seat, made.r#move.as_ref()).ok_or(astray)?;
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

fn opening(game: &str, rules_version: u32, options: Option<&proto::GameOptions>) -> Result<State, Astray> {
    let game = pinned_game(game, rules_version).ok_or(Astray::UnknownRules)?;
    let info = game.info();
    if info.secrets || info.simultaneous || info.chance {
        return Err(Astray::Untold);
    }
    let options = options.and_then(|options| options_from_wire(options).ok());
    let state = options
        .filter(|options: &Options| options.game() == game)
        // Without chance the seed is ignored (G-5).
        .and_then(|options| State::setup(&options, &Seed::new([0; 32])).ok());
    state.ok_or(Astray::UnknownRules)
}

/// The position after a move, if these rules allow it.
fn advanced(state: &State, seat: i32, made: Option<&proto::Move>) -> Option<State> {
    let made = move_from_wire(made?).ok()?;
    Some(state.play(seat_from_wire(seat)?, &made).ok()?.state)
}
