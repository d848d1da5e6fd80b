//! A bot that plays a seat: follows the match, makes the moves that the service suggests, keeps within its
//! clock.

mod pacing;
mod player;
mod skill;

pub(crate) use player::{BotActivity, BotSettings, Player};
pub(crate) use skill::{SKILLS, Skill};
