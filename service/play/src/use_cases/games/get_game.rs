//! `GetGame`: one game with its rules.

use wire::v1 as proto;

use super::entry;
use crate::requests::fields;
use crate::{Play, Refusal};

impl Play {
    /// Returns a game with the text of its rules.
    pub fn get_game(&self, request: &proto::GetGameRequest) -> Result<proto::GetGameResponse, Refusal> {
        let game = fields::game(&request.game_id)?;
        let rules_text = self.games().current(game).info().rules_text.to_owned();
        Ok(proto::GetGameResponse { game: Some(proto::Game { rules_text, ..entry(self.games(), game) }) })
    }
}
