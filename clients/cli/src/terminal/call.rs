//! The calls that a player's input leads to. They run beside the screen, and each comes back as an answer.

use futures_util::future::{BoxFuture, FutureExt as _};
use matchbook_client::{ChosenMove, Error, SeatClient};
use wire::v1::get_choices_response::Next;
use wire::v1::{GetGameRequest, LegalChoice, ProposalKind, Question};

use super::rematch::Rematch;
use crate::failure::Failure;

/// Something to ask of the service for the player.
#[derive(Debug, Clone)]
pub(super) enum Call {
    /// Make a move written in notation.
    MakeMove(String),
    /// Make a move that was built for the position after an event.
    MakeBuiltMove(Box<LegalChoice>, u32),
    Propose(ProposalKind),
    AnswerProposal(ProposalKind, bool),
    Resign,
    Abort,
    /// Play again; with the seat of the bot that this program plays.
    Rematch(Option<SeatClient>),
    ListMoves,
    /// Ask what follows these answers on the way to a move.
    AskNext {
        path: Vec<String>,
        seq: Option<u32>,
    },
    ReadRules,
}

/// What came of a call.
#[derive(Debug)]
pub(super) enum Answer {
    /// It took effect with the events up to this seq; the watch shows how.
    Done(u32),
    Moves(LegalMoves),
    /// The next part of the move that these answers begin.
    Next {
        path: Vec<String>,
        seq: u32,
        next: NextPart,
    },
    Rules(String),
    /// The match to go on with.
    Rematch(Box<Rematch>),
    Failed(Failure),
}

/// The legal moves at a position.
#[derive(Debug, Clone, Default)]
pub(super) struct LegalMoves {
    pub(super) seq: u32,
    pub(super) notations: Vec<String>,
    /// Families of moves that are too large to list.
    pub(super) unlisted: Vec<String>,
}

/// What follows the answers given so far.
#[derive(Debug, Clone)]
pub(super) enum NextPart {
    Question(Question),
    Finished(Box<LegalChoice>),
}

impl LegalMoves {
    /// Lists the moves at the position after event `seq`.
    pub(super) fn in_words(&self, seq: u32) -> String {
        if self.seq != seq || (self.notations.is_empty() && self.unlisted.is_empty()) {
            return "There are no legal moves now: it is not your turn.\n".to_owned();
        }
        let mut text = format!("{}\n", self.notations.join("   "));
        for family in &self.unlisted {
            text.push_str(&format!("\nMore moves, too many to list: {family}. /choose builds them.\n"));
        }
        text
    }
}

impl Call {
    /// Starts the call for a seat.
    pub(super) fn start(self, seat: SeatClient) -> BoxFuture<'static, Answer> {
        async move { self.answer(&seat).await.unwrap_or_else(|error| Answer::Failed(error.into())) }.boxed()
    }

    async fn answer(self, seat: &SeatClient) -> Result<Answer, Error> {
        let events = match self {
            Self::MakeMove(notation) => seat.play(notation).await?.events,
            Self::MakeBuiltMove(built, seq) => {
                let LegalChoice { notation, r#move, .. } = *built;
                let content = r#move.unwrap_or_default();
                seat.play(ChosenMove { notation, content, seq }).await?.events
            }
            Self::Propose(kind) => seat.propose(kind).await?.events,
            Self::AnswerProposal(kind, accept) => seat.answer(kind, accept).await?.events,
            Self::Resign => seat.resign().await?.events,
            Self::Abort => seat.abort().await?.events,
            Self::Rematch(bot) => {
                let rematch = Rematch::of(seat, bot.as_ref()).await?;
                return Ok(Answer::Rematch(Box::new(rematch)));
            }
            Self::ListMoves => return list_moves(seat).await,
            Self::AskNext { path, seq } => return ask_next(seat, path, seq).await,
            Self::ReadRules => return read_rules(seat).await,
        };
        Ok(Answer::Done(events.last().map_or(0, |event| event.seq)))
    }
}

async fn list_moves(seat: &SeatClient) -> Result<Answer, Error> {
    let listed = seat.legal_moves().await?;
    let notations = listed.moves.iter().map(|legal| board::printable(&legal.notation)).collect();
    let unlisted = listed.unlisted_families.iter().map(|family| board::printable(family)).collect();
    Ok(Answer::Moves(LegalMoves { seq: listed.seq, notations, unlisted }))
}

async fn ask_next(seat: &SeatClient, path: Vec<String>, seq: Option<u32>) -> Result<Answer, Error> {
    let answer = seat.choices(path.clone(), seq).await?;
    let next = match answer.next {
        Some(Next::Finished(built)) => NextPart::Finished(Box::new(built)),
        Some(Next::Question(question)) => NextPart::Question(question),
        None => NextPart::Question(Question::default()),
    };
    Ok(Answer::Next { path, seq: answer.seq, next })
}

async fn read_rules(seat: &SeatClient) -> Result<Answer, Error> {
    let game_id = seat.get_match().await?.r#match.unwrap_or_default().game_id;
    let game = seat.client().get_game(GetGameRequest { game_id }).await?.game.unwrap_or_default();
    Ok(Answer::Rules(board::printable_page(&game.rules_text)))
}
