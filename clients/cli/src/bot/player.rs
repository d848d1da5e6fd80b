//! The bot's loop: follows the match, moves when its seat is to move, answers proposals, until the
//! match is over. The service suggests its moves; timing is in `pacing`.

use std::time::Duration;

use futures_util::TryStreamExt as _;
use matchbook_client::{ChosenMove, Error, SeatClient, Watch};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng as _};
use tokio::time::{Instant, sleep_until};
use wire::v1::watch_match_response::Frame;
use wire::v1::{
    AnswerProposalResponse, ErrorReason, MoveAnswer, Proposal, ProposalKind, Prospects, Strategy,
    SubmitMoveResponse, View, WatchMatchResponse, event,
};

use super::pacing::{Budget, Pacing};
use super::skill::Skill;
use crate::failure::Failure;

/// How a bot chooses and how fast it moves.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BotSettings {
    /// How it chooses its moves.
    pub skill: Skill,
    /// The same seed makes the same moves in the same positions.
    pub seed: Option<u64>,
    /// How long it waits before each move.
    pub delay: Duration,
}

/// A seat that a bot plays.
pub(crate) struct Player {
    client: SeatClient,
    watch: Watch,
    /// What the service returns to its moves.
    answer: MoveAnswer,
    skill: Skill,
    pacing: Pacing,
    rng: ChaCha8Rng,
    /// Seed of the next suggestion, kept until there is one.
    suggestion_seed: Option<u64>,
    /// Who was ahead at its last move, as far as it was judged.
    prospects: Prospects,
    /// The seat of the client's token, known after the start frame.
    seat: Option<u32>,
    /// When to try a move: after an event that may have given this seat the turn.
    move_at: Option<Instant>,
    /// What the other seat proposes.
    proposed: Vec<ProposalKind>,
}

/// Something that a player received or did.
pub(crate) enum BotActivity {
    /// A frame of its watch.
    Received(Box<WatchMatchResponse>),
    /// A move that was accepted.
    Moved(Box<SubmitMoveResponse>),
    /// It answered the other seat's proposal.
    Answered(Box<AnswerProposalResponse>),
}

impl Player {
    /// Plays the seat whose token the client carries.
    pub(crate) fn new(client: SeatClient, settings: BotSettings) -> Self {
        Self {
            watch: client.watch(),
            answer: MoveAnswer::Unspecified,
            client,
            skill: settings.skill,
            pacing: Pacing::new(settings.delay),
            rng: ChaCha8Rng::seed_from_u64(settings.seed.unwrap_or_else(rand::random)),
            suggestion_seed: None,
            prospects: Prospects::Unspecified,
            seat: None,
            move_at: None,
            proposed: Vec::new(),
        }
    }

    /// Plays to the end of the match without reporting steps.
    pub(crate) async fn play(mut self) -> Result<(), Failure> {
        self.answer = MoveAnswer::Receipt;
        while self.step().await?.is_some() {}
        Ok(())
    }

    /// Returns the next thing received or done; `None` after the match's last event.
    pub(crate) async fn step(&mut self) -> Result<Option<BotActivity>, Failure> {
        loop {
            if let Some(kind) = self.proposed.pop() {
                if let Some(answered) = self.answer(kind).await? {
                    return Ok(Some(answered));
                }
                continue;
            }
            let received = match self.move_at {
                None => Some(self.watch.try_next().await?),
                // An event while it waits may end the match.
                Some(at) => tokio::select! {
                    biased;
                    received = self.watch.try_next() => Some(received?),
                    () = sleep_until(at) => None,
                },
            };
            match received {
                Some(Some(response)) => {
                    self.receive(&response).await?;
                    return Ok(Some(BotActivity::Received(Box::new(response))));
                }
                Some(None) => return Ok(None),
                None => {
                    self.move_at = None;
                    if let Some(moved) = self.move_if_to_act().await? {
                        return Ok(Some(BotActivity::Moved(Box::new(moved))));
                    }
                }
            }
        }
    }

    /// Records what a frame asks of this seat.
    async fn receive(&mut self, response: &WatchMatchResponse) -> Result<(), Failure> {
        let may_be_to_act = match &response.frame {
            Some(Frame::Start(_)) => {
                let view = response.view.clone().unwrap_or_default();
                self.seat = view.viewing_seat();
                // Bots of both seats may share a seed and still play differently.
                self.rng.set_stream(u64::from(self.seat == Some(1)));
                self.receive_view(&view)
            }
            Some(Frame::Event(event)) => match &event.kind {
                Some(event::Kind::ProposalMade(made)) => {
                    if made.seat.is_some_and(|seat| self.is_opponent(seat)) {
                        self.proposed.push(made.kind());
                    }
                    false
                }
                Some(event::Kind::ProposalAnswered(answered)) => answered.moves_taken_back > 0,
                // Its own moves count too: the seat may move twice.
                Some(
                    event::Kind::MatchStarted(_) | event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_),
                ) => true,
                Some(_) => false,
                // A kind of a newer service may have changed anything.
                None => {
                    let view = self.client.view().await?.view.unwrap_or_default();
                    self.receive_view(&view)
                }
            },
            Some(Frame::Heartbeat(_)) | None => false,
        };
        if may_be_to_act {
            let delay = self.pacing.delay(&self.client, self.seat).await?;
            self.move_at = Some(Instant::now() + delay);
        }
        Ok(())
    }

    /// Records what the newest view asks of this seat, and returns whether it is to act.
    fn receive_view(&mut self, view: &View) -> bool {
        let is_of_opponent = |proposal: &&Proposal| proposal.seat.is_some_and(|seat| self.is_opponent(seat));
        self.proposed = view.proposals.iter().filter(is_of_opponent).map(Proposal::kind).collect();
        self.seat.is_some_and(|seat| view.to_act.contains(&seat))
    }

    fn is_opponent(&self, seat: u32) -> bool {
        self.seat.is_some_and(|own| own != seat)
    }

    /// Makes a move. Returns `None` if the seat is not to act: events may be old when they are read.
    async fn move_if_to_act(&mut self) -> Result<Option<SubmitMoveResponse>, Failure> {
        let Some(chosen) = self.choose().await? else { return Ok(None) };
        unless_too_late(self.client.play_for(chosen, self.answer).await)
    }

    /// Returns the move to make.
    async fn choose(&mut self) -> Result<Option<ChosenMove>, Failure> {
        let strategy = self.strategy().await?;
        let seed = *self.suggestion_seed.get_or_insert_with(|| self.rng.next_u64());
        let began = Instant::now();
        let suggested = unless_too_late(self.client.suggest_move(strategy, Some(seed)).await)?;
        if strategy == Strategy::Greedy {
            self.pacing.record_thought(began.elapsed());
        }
        Ok(suggested.map(|suggested| {
            self.suggestion_seed = None;
            if strategy == Strategy::Greedy {
                self.prospects = suggested.prospects();
            }
            suggested.into()
        }))
    }

    /// Returns the strategy of the bot's skill, unless the clock leaves no time for it.
    async fn strategy(&mut self) -> Result<Strategy, Failure> {
        let (Skill::Greedy, Some(seat)) = (self.skill, self.seat) else { return Ok(Strategy::Random) };
        Ok(match self.pacing.budget(&self.client, seat).await? {
            Budget::Thought => Strategy::Greedy,
            Budget::RandomMove => Strategy::Random,
        })
    }

    /// Answers a proposal: accepts a takeback, and a draw if the seat is behind. Returns `None` if the
    /// proposal is no longer open.
    async fn answer(&mut self, kind: ProposalKind) -> Result<Option<BotActivity>, Failure> {
        let accept = match kind {
            ProposalKind::Draw => self.is_behind().await?,
            ProposalKind::Takeback => true,
            // A newer service's: left to lapse.
            ProposalKind::Unspecified => return Ok(None),
        };
        let answered = unless_too_late(self.client.answer(kind, accept).await)?;
        Ok(answered.map(|answered| BotActivity::Answered(Box::new(answered))))
    }

    /// Returns whether the seat is behind: now if it is to act, otherwise at its last move. A bot that
    /// plays at random does not know.
    async fn is_behind(&mut self) -> Result<bool, Failure> {
        if self.skill == Skill::Greedy {
            let suggested = self.client.suggest_move(Strategy::Greedy, Some(0)).await;
            if let Some(suggested) = unless_too_late(suggested)? {
                self.prospects = suggested.prospects();
            }
        }
        Ok(self.prospects == Prospects::Worse)
    }
}

/// Returns `None` if the match moved on before the call arrived.
fn unless_too_late<T>(answer: Result<T, Error>) -> Result<Option<T>, Failure> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::Refused(refusal))
            if matches!(
                refusal.known_reason(),
                Some(
                    ErrorReason::NotYourTurn
                        | ErrorReason::StalePosition
                        | ErrorReason::MatchOver
                        | ErrorReason::NoProposal
                )
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
