//! `ListGames`: the catalog of games.

use rules::GameId;
use wire::v1 as proto;

use super::entry;
use crate::{Play, Refusal};

impl Play {
    /// Returns all games, without the text of their rules.
    pub fn list_games(&self, _request: proto::ListGamesRequest) -> Result<proto::ListGamesResponse, Refusal> {
        let games = GameId::ALL.into_iter().map(|game| entry(game.info(), "")).collect();
        Ok(proto::ListGamesResponse { games })
    }
}
