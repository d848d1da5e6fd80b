//! A bot that plays a seat: follows the match, chooses moves, keeps within its clock. How good a move is, the
//! crate
//! `bots` decides.

mod pacing;
mod player;
mod skill;
mod thinking;

pub(crate) use player::{BotActivity, BotSettings, Player};
pub(crate) use skill::{SKILLS, Skill};
