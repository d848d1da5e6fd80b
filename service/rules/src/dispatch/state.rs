//! The contract of a game, dispatched on the state of any game.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Fact, GameId, Games, Move, Options, OtherState, Reason, View};
use crate::games::ace_exorcist::AceExorcist;
use crate::games::angels_and_demons::AngelsAndDemons;
use crate::games::cresnovian_chess::CresnovianChess;
use crate::games::ludus_magus::LudusMagus;
use crate::{
    BadAnswer, BadOption, Dice, Ending, Game, Illegal, Listing, Played, Seed, Side, Sides, Step, Viewer,
};

/// The whole truth of a position of any game. It holds secrets and therefore has no `Debug`.
#[derive(Clone)]
pub enum State {
    /// Board, turns taken and sealed choices.
    AngelsAndDemons(<AngelsAndDemons as Game>::State),
    /// Packs, hands, piles and hit points.
    AceExorcist(<AceExorcist as Game>::State),
    /// Field, poem and previous turn.
    CresnovianChess(<CresnovianChess as Game>::State),
    /// Pieces and position history.
    LudusMagus(<LudusMagus as Game>::State),
    /// The state under a version with code of its own.
    Other(OtherState),
}

impl State {
    /// Sets up the opening of a match under the built-in game's current rules. [`Rules::setup`] sets up a
    /// match that is pinned to a version.
    ///
    /// [`Rules::setup`]: super::Rules::setup
    pub fn setup(options: &Options, seed: &Seed) -> Result<Self, BadOption> {
        Games::built_in().current(options.game()).setup(options, seed)
    }

    /// Returns the game to which the position belongs.
    #[must_use]
    pub fn game(&self) -> GameId {
        match self {
            Self::AngelsAndDemons(_) => GameId::AngelsAndDemons,
            Self::AceExorcist(_) => GameId::AceExorcist,
            Self::CresnovianChess(_) => GameId::CresnovianChess,
            Self::LudusMagus(_) => GameId::LudusMagus,
            Self::Other(state) => state.game(),
        }
    }

    /// Returns the seats that may move now; none once the match is over.
    #[must_use]
    pub fn to_act(&self) -> Sides {
        match self {
            Self::AngelsAndDemons(state) => AngelsAndDemons::to_act(state),
            Self::AceExorcist(state) => AceExorcist::to_act(state),
            Self::CresnovianChess(state) => CresnovianChess::to_act(state),
            Self::LudusMagus(state) => LudusMagus::to_act(state),
            Self::Other(state) => state.to_act(),
        }
    }

    /// Returns the seat's legal moves in their fixed order.
    #[must_use]
    pub fn legal(&self, seat: Side) -> Listing<Move> {
        match self {
            Self::AngelsAndDemons(state) => AngelsAndDemons::legal(state, seat).map(Move::AngelsAndDemons),
            Self::AceExorcist(state) => AceExorcist::legal(state, seat).map(Move::AceExorcist),
            Self::CresnovianChess(state) => CresnovianChess::legal(state, seat).map(Move::CresnovianChess),
            Self::LudusMagus(state) => LudusMagus::legal(state, seat).map(Move::LudusMagus),
            Self::Other(state) => state.legal(seat),
        }
    }

    /// Returns the next question on this path, or the finished move.
    pub fn choices(&self, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        match self {
            Self::AngelsAndDemons(state) => {
                AngelsAndDemons::choices(state, seat, path).map(|step| step.map(Move::AngelsAndDemons))
            }
            Self::AceExorcist(state) => {
                AceExorcist::choices(state, seat, path).map(|step| step.map(Move::AceExorcist))
            }
            Self::CresnovianChess(state) => {
                CresnovianChess::choices(state, seat, path).map(|step| step.map(Move::CresnovianChess))
            }
            Self::LudusMagus(state) => {
                LudusMagus::choices(state, seat, path).map(|step| step.map(Move::LudusMagus))
            }
            Self::Other(state) => state.choices(seat, path),
        }
    }

    /// Plays a move. A move of another game is malformed (G-2).
    pub fn play(&self, seat: Side, mv: &Move) -> Result<Played<Self, Fact>, Illegal> {
        match self {
            Self::AngelsAndDemons(state) => {
                let mv = mv.angels_and_demons().ok_or_else(|| self.foreign(seat))?;
                Ok(AngelsAndDemons::play(state, seat, mv)?.map(Self::AngelsAndDemons, Fact::AngelsAndDemons))
            }
            Self::AceExorcist(state) => {
                let mv = mv.ace_exorcist().ok_or_else(|| self.foreign(seat))?;
                Ok(AceExorcist::play(state, seat, mv)?.map(Self::AceExorcist, Fact::AceExorcist))
            }
            Self::CresnovianChess(state) => {
                let mv = mv.cresnovian_chess().ok_or_else(|| self.foreign(seat))?;
                Ok(CresnovianChess::play(state, seat, mv)?.map(Self::CresnovianChess, Fact::CresnovianChess))
            }
            Self::LudusMagus(state) => {
                let mv = mv.ludus_magus().ok_or_else(|| self.foreign(seat))?;
                Ok(LudusMagus::play(state, seat, mv)?.map(Self::LudusMagus, Fact::LudusMagus))
            }
            Self::Other(state) => state.play(seat, mv).unwrap_or_else(|| Err(self.foreign(seat))),
        }
    }

    /// Opens and resolves a turn of a simultaneous game once both choices are in.
    #[must_use]
    pub fn reveal(&self) -> Option<Played<Self, Fact>> {
        match self {
            Self::AngelsAndDemons(state) => AngelsAndDemons::reveal(state)
                .map(|turn| turn.map(Self::AngelsAndDemons, Fact::AngelsAndDemons)),
            Self::AceExorcist(_) | Self::CresnovianChess(_) | Self::LudusMagus(_) => None,
            Self::Other(state) => state.reveal(),
        }
    }

    /// Returns how the rules ended the match, if they did.
    #[must_use]
    pub fn ending(&self) -> Option<Ending<Reason>> {
        match self {
            Self::AngelsAndDemons(state) => {
                AngelsAndDemons::ending(state).map(|ending| ending.map(Reason::AngelsAndDemons))
            }
            Self::AceExorcist(state) => {
                AceExorcist::ending(state).map(|ending| ending.map(Reason::AceExorcist))
            }
            Self::CresnovianChess(state) => {
                CresnovianChess::ending(state).map(|ending| ending.map(Reason::CresnovianChess))
            }
            Self::LudusMagus(state) => LudusMagus::ending(state).map(|ending| ending.map(Reason::LudusMagus)),
            Self::Other(state) => state.ending(),
        }
    }

    /// Returns the viewer's view of the position.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> View {
        match self {
            Self::AngelsAndDemons(state) => View::AngelsAndDemons(AngelsAndDemons::view(state, viewer)),
            Self::AceExorcist(state) => View::AceExorcist(AceExorcist::view(state, viewer)),
            Self::CresnovianChess(state) => View::CresnovianChess(CresnovianChess::view(state, viewer)),
            Self::LudusMagus(state) => View::LudusMagus(LudusMagus::view(state, viewer)),
            Self::Other(state) => state.view(viewer),
        }
    }

    /// Returns the bytes from which the position's digest is made.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        match self {
            Self::AngelsAndDemons(state) => AngelsAndDemons::canonical(state),
            Self::AceExorcist(state) => AceExorcist::canonical(state),
            Self::CresnovianChess(state) => CresnovianChess::canonical(state),
            Self::LudusMagus(state) => LudusMagus::canonical(state),
            Self::Other(state) => state.canonical(),
        }
    }

    /// Draws a random legal move. `None` if the seat has none.
    pub fn sample(&self, seat: Side, dice: &mut Dice) -> Option<Move> {
        match self {
            Self::AngelsAndDemons(state) => {
                AngelsAndDemons::sample(state, seat, dice).map(Move::AngelsAndDemons)
            }
            Self::AceExorcist(state) => AceExorcist::sample(state, seat, dice).map(Move::AceExorcist),
            Self::CresnovianChess(state) => {
                CresnovianChess::sample(state, seat, dice).map(Move::CresnovianChess)
            }
            Self::LudusMagus(state) => LudusMagus::sample(state, seat, dice).map(Move::LudusMagus),
            Self::Other(state) => state.sample(seat, dice),
        }
    }

    /// Refuses a move of another game. The tests for a finished match and for the seat to act come first, as
    /// always (G-2).
    fn foreign(&self, seat: Side) -> Illegal {
        if self.ending().is_some() {
            Illegal::match_over()
        } else if !self.to_act().contains(seat) {
            Illegal::not_to_act("the seat is not to act")
        } else {
            Illegal::malformed(format!("this is not a move of {}", self.game().info().title))
        }
    }
}
