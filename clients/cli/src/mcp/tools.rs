//! The tools. Each returns text for the model, or says what is wrong and what to do.

use std::time::Duration;

use matchbook_client::SeatClient;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use serde_json::json;
use wire::v1::get_choices_response::Next;
use wire::v1::question::Kind;
use wire::v1::submit_move_request::Input;
use wire::v1::{
    ListGamesRequest, ListMatchesRequest, MatchStatus, ProposalKind, Question, SubmitMoveRequest,
};

use super::parameters::{
    AnswerProposal, Choose, Join, LegalMoves, MakeMove, NewMatch, OfGame, OfMatch, OpenMatches, Propose, Wait,
};
use super::resources::rules_text;
use super::seat_of_agent::{create, join, look, seat};
use super::server::AgentServer;
use super::{listing, parameters};
use crate::failure::Failure;
use crate::output::failure_as_text;

/// Number of moves that a list has unless the model asks for more.
const LISTED_MOVES: u32 = 200;

/// Number of open matches that a list has.
const LISTED_MATCHES: u32 = 50;

/// How long the model waits unless it says so, and at most.
const DEFAULT_WAIT: u32 = 60;
const LONGEST_WAIT: u32 = 300;

/// What the model does about a move whose answer was lost.
const REPEAT: &str = "The move may have been made. Call make_move with it again, and it is made once, or \
                      call look.\n";

/// Text for the model, or what went wrong.
type Answer = Result<String, String>;

fn answer(result: Result<String, Failure>) -> Answer {
    result.map_err(|failure| failure_as_text(&failure))
}

#[tool_router(router = tools, vis = "pub(super)")]
impl AgentServer {
    #[tool(description = "List the games with their seats and options")]
    async fn list_games(&self) -> Answer {
        let games = self.session.client.list_games(ListGamesRequest::default()).await;
        answer(games.map(|listed| listing::games(&listed.games)).map_err(Failure::from))
    }

    #[tool(description = "Read the rules of a game, as Markdown")]
    async fn read_rules(&self, Parameters(of): Parameters<OfGame>) -> Answer {
        answer(rules_text(&self.session, &of.game).await)
    }

    #[tool(description = "List open matches with a free seat, to call join_match with")]
    async fn list_open_matches(&self, Parameters(of): Parameters<OpenMatches>) -> Answer {
        let request = ListMatchesRequest {
            game_id: of.game,
            status: Some(MatchStatus::Open.into()),
            page_size: LISTED_MATCHES,
            ..ListMatchesRequest::default()
        };
        let open = self.session.client.list_matches(request).await;
        answer(open.map(|open| listing::open_matches(&open.matches)).map_err(Failure::from))
    }

    #[tool(description = "Create a match and take a seat in it; returns the table with the match's id")]
    async fn create_match(&self, Parameters(wanted): Parameters<NewMatch>) -> Answer {
        answer(self.sit_down(create(&self.session, &self.bots, wanted).await).await)
    }

    #[tool(description = "Take a free seat of a match; returns the table")]
    async fn join_match(&self, Parameters(wanted): Parameters<Join>) -> Answer {
        answer(self.sit_down(join(&self.session, wanted).await).await)
    }

    #[tool(description = "List the ids of the matches in which you have a seat")]
    async fn my_matches(&self) -> Answer {
        let matches = match &self.session.tokens {
            Some(tokens) => tokens.matches(self.session.client.server()),
            None => Ok(Vec::new()),
        };
        answer(
            matches.map(|ids| if ids.is_empty() { "You have no seat.".to_owned() } else { ids.join("\n") }),
        )
    }

    #[tool(description = "Look at the table as your seat sees it: the board, and what the match waits for")]
    async fn look(&self, Parameters(of): Parameters<OfMatch>) -> Answer {
        answer(self.look_at(&of.match_id, None).await)
    }

    #[tool(description = "Wait until it is your turn, something is proposed to you, or the match is over")]
    async fn wait(&self, Parameters(of): Parameters<Wait>) -> Answer {
        let seconds = of.seconds.unwrap_or(DEFAULT_WAIT).clamp(1, LONGEST_WAIT);
        answer(self.look_at(&of.match_id, Some(Duration::from_secs(seconds.into()))).await)
    }

    #[tool(description = "List your legal moves in notation; where some are too many to list, use choose")]
    async fn legal_moves(&self, Parameters(of): Parameters<LegalMoves>) -> Answer {
        answer(self.list_moves(of).await)
    }

    #[tool(description = "Build a move step by step: returns the next question, or the finished move")]
    async fn choose(&self, Parameters(of): Parameters<Choose>) -> Answer {
        answer(self.next_question(of).await)
    }

    #[tool(description = "Make a move in the game's notation; returns the table after it")]
    async fn make_move(&self, Parameters(of): Parameters<MakeMove>) -> Answer {
        let made = self.move_once(&of).await;
        let advice = if self.lost_moves.has(&of.match_id) { REPEAT } else { "" };
        answer(made).map_err(|text| text + advice)
    }

    #[tool(description = "Offer a draw, or ask to take back your last move")]
    async fn propose(&self, Parameters(of): Parameters<Propose>) -> Answer {
        let kind = match of.kind {
            parameters::Kind::Draw => ProposalKind::Draw,
            parameters::Kind::Takeback => ProposalKind::Takeback,
        };
        let proposed = async |seat: &SeatClient| seat.propose(kind).await.map(drop);
        answer(self.change(&of.match_id, proposed).await)
    }

    #[tool(description = "Accept or decline what the other seat proposes")]
    async fn answer_proposal(&self, Parameters(of): Parameters<AnswerProposal>) -> Answer {
        answer(self.answer_other_seat(of).await)
    }

    #[tool(description = "Resign the match: the other seat wins")]
    async fn resign(&self, Parameters(of): Parameters<OfMatch>) -> Answer {
        answer(self.change(&of.match_id, async |seat: &SeatClient| seat.resign().await.map(drop)).await)
    }
}

impl AgentServer {
    async fn sit_down(&self, taken: Result<SeatClient, Failure>) -> Result<String, Failure> {
        self.show(&taken?, None).await
    }

    /// Returns the model's seat in a match. The bot of the other seat plays from now on.
    fn seat(&self, match_id: &str) -> Result<SeatClient, Failure> {
        let seat = seat(&self.session, match_id)?;
        self.bots.resume(&self.session, seat.match_id())?;
        Ok(seat)
    }

    async fn look_at(&self, match_id: &str, wait: Option<Duration>) -> Result<String, Failure> {
        self.show(&self.seat(match_id)?, wait).await
    }

    /// Carries out a change of a match and returns the table after it.
    async fn change(
        &self,
        match_id: &str,
        change: impl AsyncFnOnce(&SeatClient) -> Result<(), matchbook_client::Error>,
    ) -> Result<String, Failure> {
        let seat = self.seat(match_id)?;
        change(&seat).await?;
        self.show(&seat, None).await
    }

    /// Makes a move and returns the table after it. A move that the model repeats before it has seen such a
    /// table is made once.
    async fn move_once(&self, of: &MakeMove) -> Result<String, Failure> {
        let seat = self.seat(&of.match_id)?;
        let request = SubmitMoveRequest {
            match_id: seat.match_id().to_owned(),
            request_id: Some(self.lost_moves.request_id(seat.match_id(), &of.notation)),
            input: Some(Input::Notation(of.notation.clone())),
            ..Default::default()
        };
        let made = seat.client().submit_move(request).await;
        // Of a transient failure, an attempt before the last one may have been made.
        if made.as_ref().is_err_and(|error| !error.is_transient()) {
            self.lost_moves.forget(seat.match_id());
        }
        made?;
        self.show(&seat, None).await
    }

    /// Shows the model the table.
    async fn show(&self, seat: &SeatClient, wait: Option<Duration>) -> Result<String, Failure> {
        let table = look(seat, wait).await?;
        self.lost_moves.forget(seat.match_id());
        Ok(table)
    }

    async fn answer_other_seat(&self, of: AnswerProposal) -> Result<String, Failure> {
        let seat = self.seat(&of.match_id)?;
        let view = seat.view().await?.view.unwrap_or_default();
        let own = view.viewing_seat();
        let proposed = view.proposals.iter().find(|proposal| proposal.seat != own);
        let Some(proposed) = proposed else {
            return Err(Failure::Usage("the other seat proposes nothing".to_owned()));
        };
        seat.answer(proposed.kind(), of.accept).await?;
        self.show(&seat, None).await
    }

    async fn list_moves(&self, of: LegalMoves) -> Result<String, Failure> {
        let seat = self.seat(&of.match_id)?;
        let listed = seat.legal_moves_up_to(of.limit.unwrap_or(LISTED_MOVES).clamp(1, 10_000)).await?;
        Ok(listing::legal_moves(&listed))
    }

    async fn next_question(&self, of: Choose) -> Result<String, Failure> {
        let seat = self.seat(&of.match_id)?;
        Ok(match seat.choices(of.answers, None).await?.next {
            Some(Next::Finished(built)) => {
                format!(
                    "Finished. Call make_move with this notation:\n{}\n",
                    board::printable(&built.notation)
                )
            }
            Some(Next::Question(question)) => asked(&question),
            None => "This version does not know the question; use legal_moves.\n".to_owned(),
        })
    }
}

/// Describes a question as JSON, so that its values can be told apart from their labels.
fn asked(question: &Question) -> String {
    let answers = match &question.kind {
        Some(Kind::ChoiceList(list)) => {
            let choice = |choice: &wire::v1::Choice| json!({ "value": choice.value, "label": choice.label });
            json!({ "one_of": list.choices.iter().map(choice).collect::<Vec<_>>() })
        }
        Some(Kind::Integer(range)) => json!({ "integer": [range.min_value, range.max_value] }),
        Some(Kind::Text(limits)) => json!({ "text_of_chars": [limits.min_chars, limits.max_chars] }),
        None => json!("unknown to this version: type the answer"),
    };
    json!({ "question": board::printable(&question.prompt), "answer": answers }).to_string()
}
