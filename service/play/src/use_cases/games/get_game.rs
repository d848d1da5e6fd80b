//! `GetGame`: one game with its rules.

use wire::v1 as proto;

use super::entry;
use crate::requests::fields;
use crate::{Play, Refusal};

impl Play {
    /// Returns a game with the text of its rules.
    pub fn get_game(&self, request: &proto::GetGameRequest) -> Result<proto::GetGameResponse, Refusal> {
        let info = fields::game(&request.game_id)?.info();
        Ok(proto::GetGameResponse { game: Some(entry(info, info.rules_text)) })
    }
}
