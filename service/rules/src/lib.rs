//! The rules of the games as pure functions: no clock, I/O, database or protobuf. [`Game`] is the contract
//! that each game in [`games`] implements; [`GameId`], [`State`] and the other enums dispatch to the games
//! and are what the rest of the service calls.

#![no_std]

extern crate alloc;

mod choice;
mod dispatch;
mod ending;
pub mod game;
pub mod games;
mod illegal;
mod info;
mod listing;
mod played;
mod seed;
mod side;
mod viewer;

pub use choice::{Choice, Question, QuestionKind, Step, ValueType};
pub use dispatch::{
    BuiltIn, Fact, GameId, Games, Move, Options, OtherState, OtherVersion, Reason, Rules, State,
    VersionStatus, View,
};
pub use ending::Ending;
pub use game::Game;
pub use illegal::{BadAnswer, BadNotation, BadOption, Illegal, IllegalKind, Paragraph};
pub use info::{GameInfo, OptionSpec, OptionType, OptionValue};
pub use listing::Listing;
pub use played::Played;
pub use seed::{Dice, Seed};
pub use side::{BySide, Side, Sides};
pub use viewer::Viewer;
