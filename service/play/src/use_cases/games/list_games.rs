//! `ListGames`: the catalog of games.

use rules::GameId;
use wire::v1 as proto;

use super::entry;
use crate::requests::{Page, fields};
use crate::{Play, Refusal};

impl Play {
    /// Returns a page of games, without the text of their rules.
    pub fn list_games(&self, request: &proto::ListGamesRequest) -> Result<proto::ListGamesResponse, Refusal> {
        let tokens = self.page_tokens.of("ListGames", &proto::ListGamesRequest::default());
        let from = tokens.decode_index(&request.page_token)?;
        let page = Page::of(&GameId::ALL, from, fields::games(request.page_size));
        Ok(proto::ListGamesResponse {
            games: page.items.iter().map(|game| entry(self.games(), *game)).collect(),
            next_page_token: tokens.encode_index(page.next),
        })
    }
}
