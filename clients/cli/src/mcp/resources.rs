//! The rules of each game as resources.

use rmcp::ErrorData;
use rmcp::model::{
    ListResourcesResult, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
};
use wire::v1::{GetGameRequest, ListGamesRequest};

use crate::failure::Failure;
use crate::output::failure_line;
use crate::session::Session;

const SCHEME: &str = "matchbook://rules/";

/// Lists the rules pages.
pub(super) async fn list_rules(session: &Session) -> Result<ListResourcesResult, ErrorData> {
    let games = session.client.list_games(ListGamesRequest::default()).await;
    let games = games.map_err(|error| failed(&error.into()))?.games;
    let page = |game: wire::v1::Game| {
        Resource::new(format!("{SCHEME}{}", game.game_id), board::printable(&game.game_id))
            .with_title(format!("Rules of {}", board::printable(&game.title)))
            .with_description(board::printable(&game.summary))
            .with_mime_type("text/markdown")
    };
    Ok(ListResourcesResult::with_all_items(games.into_iter().map(page).collect()))
}

/// Returns the rules page of a game.
pub(super) async fn read_rules(session: &Session, uri: String) -> Result<ReadResourceResponse, ErrorData> {
    let Some(game) = uri.strip_prefix(SCHEME) else {
        let message = format!("there is no resource {uri}; rules are {SCHEME}GAME");
        return Err(ErrorData::resource_not_found(message, None));
    };
    let text = rules_text(session, game).await.map_err(|failure| failed(&failure))?;
    let contents = ResourceContents::text(text, uri).with_mime_type("text/markdown");
    Ok(ReadResourceResult::new(vec![contents]).into())
}

/// Returns the rules of a game as Markdown.
pub(super) async fn rules_text(session: &Session, game: &str) -> Result<String, Failure> {
    let request = GetGameRequest { game_id: game.to_owned() };
    let game = session.client.get_game(request).await?.game.unwrap_or_default();
    Ok(board::printable_page(&game.rules_text))
}

fn failed(failure: &Failure) -> ErrorData {
    ErrorData::invalid_request(failure_line(failure), None)
}
