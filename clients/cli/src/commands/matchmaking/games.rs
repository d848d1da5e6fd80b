//! `matchbook games`: lists the games, or shows one with its rules.

use board::printable_page;
use clap::Args;
use wire::v1::{GetGameRequest, ListGamesRequest};

use crate::failure::Failure;
use crate::output::game_entry;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook games                      all games of the service
  matchbook games angels-and-demons    one game with its options and rules
  matchbook games --json";

/// Arguments of `matchbook games`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ShowGames {
    /// Id of a game; default: list all games
    game: Option<String>,
}

impl ShowGames {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        match self.game {
            Some(game) => show(session, game).await,
            None => list(session).await,
        }
    }
}

async fn list(session: &Session) -> Result<(), Failure> {
    let mut request = ListGamesRequest::default();
    loop {
        let page = session.client.list_games(request.clone()).await?;
        session.output.json("ListGamesResponse", &page)?;
        let games: Vec<String> = page.games.iter().map(game_entry).collect();
        session.output.text(&games.join("\n"))?;
        // A page without games makes no progress, whatever its token.
        if page.next_page_token.is_empty() || page.games.is_empty() {
            return Ok(());
        }
        request.page_token = page.next_page_token;
    }
}

async fn show(session: &Session, game: String) -> Result<(), Failure> {
    let answer = session.client.get_game(GetGameRequest { game_id: game }).await?;
    session.output.json("GetGameResponse", &answer)?;
    let game = answer.game.unwrap_or_default();
    session.output.text(&format!("{}\n{}\n", game_entry(&game), printable_page(game.rules_text.trim())))
}
