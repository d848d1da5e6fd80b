//! One seat of one match.

use wire::v1::check_move_request::Input as Checked;
use wire::v1::get_choices_response::Next;
use wire::v1::submit_move_request::Input;
use wire::v1::{
    self, AbortMatchRequest, AbortMatchResponse, AnswerProposalRequest, AnswerProposalResponse,
    CheckMoveRequest, CreateRematchRequest, CreateRematchResponse, GetChoicesRequest, GetChoicesResponse,
    GetMatchResponse, GetViewResponse, ListLegalMovesRequest, MakeProposalRequest, MakeProposalResponse,
    MoveAnswer, ProposalKind, Question, ResignRequest, ResignResponse, Strategy, SubmitMoveRequest,
    SubmitMoveResponse, SuggestMoveRequest, SuggestMoveResponse,
};

use crate::client::{Client, InvalidToken};
use crate::error::Error;
use crate::match_client::MatchClient;
use crate::move_stream::MoveStream;
use crate::moves::{ChosenMove, ListedMoves, Playable};
use crate::watch::Watch;
use crate::{claim_secret, request_id};

/// Maximum number of legal moves in one answer.
const MAX_LISTED_MOVES: u32 = 10_000;

/// A client for one seat of a match. Every change carries a fresh `request_id`, so it is retried safely.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use matchbook_client::Client;
/// use matchbook_client::v1::Strategy;
///
/// let client = Client::connect("127.0.0.1:7420").await?;
/// let seat = client.seat("0193ac52-1f6e-7a3b-9c1d-2e4f5a6b7c8d", "mbs_...")?;
/// let listed = seat.legal_moves().await?;
/// println!("{} legal moves, for example {}", listed.moves.len(), listed.moves[0].notation);
/// let played = seat.play(seat.suggest(Strategy::Greedy).await?).await?;
/// println!("event {}", played.events[0].seq);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SeatClient {
    of: MatchClient,
    /// The stream that makes the seat's moves; without one each is a call.
    moves: Option<MoveStream>,
}

impl Client {
    /// Returns a client for one seat of a match, on the same connection.
    ///
    /// # Errors
    ///
    /// If the token has characters that HTTP metadata cannot carry.
    pub fn seat(&self, match_id: impl Into<String>, token: &str) -> Result<SeatClient, InvalidToken> {
        Ok(SeatClient::new(self.with_seat_token(token)?, match_id))
    }
}

impl SeatClient {
    /// Plays the seat whose token the client carries; [`Client::seat`] takes the token itself.
    pub fn new(client: Client, match_id: impl Into<String>) -> Self {
        Self { of: client.match_by_id(match_id), moves: None }
    }

    /// Returns the seat with its moves made over a stream, which any number of seats share.
    #[must_use]
    pub fn over(mut self, moves: &MoveStream) -> Self {
        self.moves = Some(moves.clone());
        self
    }

    /// Returns the match's id.
    pub fn match_id(&self) -> &str {
        self.of.match_id()
    }

    /// Returns the secret that authenticates the seat: store it to play on in another process. `None` if the
    /// client that [`SeatClient::new`] got carries none.
    pub fn token(&self) -> Option<&str> {
        self.client().seat_token()
    }

    /// Returns the match with this seat's token, for what a match can do without a seat, such as
    /// [`save_log`](MatchClient::save_log): the log then has what the seat may see.
    pub fn as_match(&self) -> &MatchClient {
        &self.of
    }

    /// Returns a client with this seat's token, for all other calls.
    pub fn client(&self) -> &Client {
        self.of.client()
    }

    /// Returns the match: game, seats, clocks' settings, status.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_match(&self) -> Result<GetMatchResponse, Error> {
        self.of.get_match().await
    }

    /// Returns the newest position as this seat may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn view(&self) -> Result<GetViewResponse, Error> {
        self.of.view().await
    }

    /// Returns the position after an event as this seat may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn view_at(&self, seq: u32) -> Result<GetViewResponse, Error> {
        self.of.view_at(seq).await
    }

    /// Lists the seat's legal moves, at most 10 000. There are none while the seat is not to act.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn legal_moves(&self) -> Result<ListedMoves, Error> {
        self.legal_moves_up_to(MAX_LISTED_MOVES).await
    }

    /// Lists at most this many of the seat's legal moves, 1 to 10 000.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn legal_moves_up_to(&self, limit: u32) -> Result<ListedMoves, Error> {
        let match_id = self.match_id().to_owned();
        let message = ListLegalMovesRequest { match_id, page_size: limit, ..Default::default() };
        self.client().list_legal_moves(message).await.map(Into::into)
    }

    /// Suggests a legal move to [`play`](Self::play), chosen by a strategy.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `NOT_YOUR_TURN`, or does not answer.
    pub async fn suggest(&self, strategy: Strategy) -> Result<ChosenMove, Error> {
        self.suggest_move(strategy, None).await.map(Into::into)
    }

    /// Suggests a legal move like [`suggest`](Self::suggest), and says what the strategy expects of it. A
    /// seed makes the choice repeatable.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn suggest_move(
        &self,
        strategy: Strategy,
        seed: Option<u64>,
    ) -> Result<SuggestMoveResponse, Error> {
        let (match_id, strategy) = (self.match_id().to_owned(), strategy.into());
        self.client().suggest_move(SuggestMoveRequest { match_id, strategy, seed }).await
    }

    /// Makes a move: a text in the game's notation, or a [`ChosenMove`].
    ///
    /// ```no_run
    /// # async fn example(seat: matchbook_client::SeatClient) -> Result<(), matchbook_client::Error> {
    /// seat.play("a2-a3").await?;
    /// let listed = seat.legal_moves().await?;
    /// seat.play(&listed.moves[0]).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `ILLEGAL_MOVE` or, for a [`ChosenMove`] of an older position,
    /// `STALE_POSITION`, or does not answer.
    pub async fn play(&self, chosen: impl Into<Playable>) -> Result<SubmitMoveResponse, Error> {
        self.play_for(chosen, MoveAnswer::Unspecified).await
    }

    /// Makes a move like [`play`](Self::play). The response contains what is asked for: a receipt is the
    /// cheapest.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn play_for(
        &self,
        chosen: impl Into<Playable>,
        answer: MoveAnswer,
    ) -> Result<SubmitMoveResponse, Error> {
        let (match_id, request_id) = self.change();
        let (input, expected_seq) = chosen.into().into_input();
        let (input, answer) = (Some(input), answer.into());
        let message = SubmitMoveRequest { match_id, request_id, expected_seq, input, answer };
        match &self.moves {
            Some(moves) => moves.submit(self.token().unwrap_or_default(), message).await,
            None => self.client().submit_move(message).await,
        }
    }

    /// Returns why a move would be refused, or `None` if it is legal, without making it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn check(&self, chosen: impl Into<Playable>) -> Result<Option<v1::Refusal>, Error> {
        let (input, expected_seq) = chosen.into().into_input();
        let input = match input {
            Input::Move(content) => Checked::Move(content),
            Input::Notation(notation) => Checked::Notation(notation),
        };
        let match_id = self.match_id().to_owned();
        let message = CheckMoveRequest { match_id, expected_seq, input: Some(input) };
        let checked = self.client().check_move(message).await?;
        Ok(if checked.legal { None } else { Some(checked.refusal.unwrap_or_default()) })
    }

    /// Returns what follows these answers on the way to a move: the next question, or the finished move. An
    /// `expected_seq` has it refused as `STALE_POSITION` at any other position.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn choices(
        &self,
        path: Vec<String>,
        expected_seq: Option<u32>,
    ) -> Result<GetChoicesResponse, Error> {
        let match_id = self.match_id().to_owned();
        self.client().get_choices(GetChoicesRequest { match_id, path, expected_seq }).await
    }

    /// Builds a move from the answers of a function to one question after the other: the `value` of a choice,
    /// an integer in decimal digits, or a text.
    ///
    /// ```no_run
    /// # async fn example(seat: matchbook_client::SeatClient) -> Result<(), matchbook_client::Error> {
    /// use matchbook_client::v1::question::Kind;
    ///
    /// let first = |question: &matchbook_client::v1::Question| match &question.kind {
    ///     Some(Kind::ChoiceList(list)) => list.choices[0].value.clone(),
    ///     _ => "1".to_owned(),
    /// };
    /// seat.play(seat.build(first).await?).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the service refuses an answer or does not answer itself.
    pub async fn build(&self, mut answer: impl FnMut(&Question) -> String) -> Result<ChosenMove, Error> {
        let (mut path, mut expected_seq) = (Vec::new(), None);
        loop {
            let asked = self.choices(path.clone(), expected_seq).await?;
            expected_seq = Some(asked.seq);
            match asked.next {
                Some(Next::Question(question)) => path.push(answer(&question)),
                Some(Next::Finished(built)) => {
                    return Ok(ChosenMove::new(built.notation, built.r#move, asked.seq));
                }
                None => return Err(Error::unexpected("the answer has neither a question nor a move")),
            }
        }
    }

    /// Makes a proposal to the other seat.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn propose(&self, kind: ProposalKind) -> Result<MakeProposalResponse, Error> {
        let (match_id, request_id) = self.change();
        self.client().make_proposal(MakeProposalRequest { match_id, kind: kind.into(), request_id }).await
    }

    /// Accepts or declines the other seat's proposal.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn answer(&self, kind: ProposalKind, accept: bool) -> Result<AnswerProposalResponse, Error> {
        let (match_id, request_id) = self.change();
        let (kind, accept) = (kind.into(), Some(accept));
        self.client().answer_proposal(AnswerProposalRequest { match_id, kind, accept, request_id }).await
    }

    /// Resigns: the other seat wins.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn resign(&self) -> Result<ResignResponse, Error> {
        let (match_id, request_id) = self.change();
        self.client().resign(ResignRequest { match_id, request_id }).await
    }

    /// Creates the rematch of a finished match, with seats swapped; both seats get the same one. In a game
    /// without chance the answer has the token of this player's seat there. In others the seat is reserved:
    /// claim it with this seat's token, `seat.client().match_by_id(id).claim(...)`.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn rematch(&self) -> Result<CreateRematchResponse, Error> {
        let (match_id, request_id) = self.change();
        let claim_secret = Some(claim_secret());
        let message = CreateRematchRequest { match_id, request_id, claim_secret, rules_version: None };
        self.client().create_rematch(message).await
    }

    /// Replaces this seat's token and returns the seat with the new one: store its
    /// [`token`](Self::token). The old token, and so this client, is void from then on.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn renew_token(&self) -> Result<Self, Error> {
        let seat = self.view().await?.view.as_ref().and_then(v1::View::viewing_seat);
        let seat = seat.ok_or_else(|| Error::unexpected("the answer is not for a seat"))?;
        let renewed = self.of.rotate_token(seat).await?;
        Ok(Self { moves: self.moves.clone(), ..renewed })
    }

    /// Aborts a match that has not really begun: nobody wins.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn abort(&self) -> Result<AbortMatchResponse, Error> {
        let (match_id, request_id) = self.change();
        self.client().abort_match(AbortMatchRequest { match_id, request_id }).await
    }

    /// Watches the match as this seat sees it; see [`Client::watch`].
    pub fn watch(&self) -> Watch {
        self.of.watch()
    }

    /// The match id and a fresh request id, for a message that changes the match.
    fn change(&self) -> (String, Option<String>) {
        (self.match_id().to_owned(), Some(request_id()))
    }
}
