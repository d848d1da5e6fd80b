//! A seat that a bot plays: waits for its turn, chooses, submits, answers offers of
//! a draw, until the match is over. How it chooses is in `sight` and `bots`, how
//! long it may take in `pace`.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng as _};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;
use wire::v1::submit_move_request::Input;
use wire::v1::watch_match_response::Frame;
use wire::v1::{
    AcceptDrawRequest, AcceptDrawResponse, DeclineDrawRequest, DeclineDrawResponse, Move, SampleMoveRequest,
    Seat, SubmitMoveRequest, SubmitMoveResponse, WatchMatchResponse, event,
};

use crate::bots::{Skill, Standing};
use crate::connection::Service;
use crate::failure::Failure;
use crate::follow::Follow;
use crate::pace::{Haste, Pace};
use crate::seat_name::viewing_seat;
use crate::sight::{Sight, Thought};

/// How a player chooses and how fast it is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Temper {
    /// How well it plays.
    pub skill: Skill,
    /// The same seed makes the same moves in the same positions.
    pub seed: Option<u64>,
    /// How long to think before each move.
    pub delay: Duration,
}

/// A seat being played.
pub(crate) struct Player {
    service: Service,
    match_id: String,
    follow: Follow,
    skill: Skill,
    sight: Sight,
    pace: Pace,
    lots: ChaCha8Rng,
    /// The lot for the next move that is drawn; kept until one was made with it.
    lot: Option<u64>,
    /// The seat whose token it has, once the service has told.
    seat: Option<Seat>,
    /// When to try a move: something happened after which it may be this seat's turn.
    act_at: Option<Instant>,
    /// The other seat has offered a draw.
    is_asked: bool,
}

/// Something that a player saw or did.
pub(crate) enum Step {
    /// A frame of its watch.
    Saw(Box<WatchMatchResponse>),
    /// A move that was accepted.
    Moved(Box<SubmitMoveResponse>),
    /// It took the other seat's offer of a draw.
    Accepted(Box<AcceptDrawResponse>),
    /// It refused the other seat's offer of a draw.
    Declined(Box<DeclineDrawResponse>),
}

impl Player {
    /// Plays the seat whose token the service carries.
    pub(crate) fn new(service: &Service, match_id: &str, temper: Temper) -> Self {
        Self {
            service: service.clone(),
            match_id: match_id.to_owned(),
            follow: Follow::new(service, match_id, None),
            skill: temper.skill,
            sight: Sight::default(),
            pace: Pace::new(temper.delay),
            lots: ChaCha8Rng::seed_from_u64(temper.seed.unwrap_or_else(rand::random)),
            lot: None,
            seat: None,
            act_at: None,
            is_asked: false,
        }
    }

    /// Plays to the end of the match without telling anybody.
    pub(crate) async fn play(mut self) -> Result<(), Failure> {
        while self.step().await?.is_some() {}
        Ok(())
    }

    /// Does or sees the next thing; none after the match's last event.
    pub(crate) async fn step(&mut self) -> Result<Option<Step>, Failure> {
        loop {
            if std::mem::take(&mut self.is_asked)
                && let Some(answered) = self.answer_offer().await?
            {
                return Ok(Some(answered));
            }
            let frame = match self.act_at {
                None => Some(self.follow.next().await?),
                // What happens while it waits may end the match.
                Some(at) => tokio::select! {
                    biased;
                    frame = self.follow.next() => Some(frame?),
                    () = sleep_until(at) => None,
                },
            };
            match frame {
                Some(Some(response)) => {
                    self.take_in(&response).await?;
                    return Ok(Some(Step::Saw(Box::new(response))));
                }
                Some(None) => return Ok(None),
                None => {
                    self.act_at = None;
                    if let Some(moved) = self.move_if_to_act().await? {
                        return Ok(Some(Step::Moved(Box::new(moved))));
                    }
                }
            }
        }
    }

    /// Notes what a frame asks of this seat.
    async fn take_in(&mut self, response: &WatchMatchResponse) -> Result<(), Failure> {
        let opens_a_turn = match &response.frame {
            Some(Frame::Start(start)) => {
                let view = start.view.clone().unwrap_or_default();
                self.seat = viewing_seat(&view);
                // Both seats can share a seed and still play differently.
                self.lots.set_stream(u64::from(self.seat == Some(Seat::One)));
                self.is_asked = view.draw_offered_by.is_some() && self.is_other(view.draw_offered_by());
                self.seat.is_some_and(|seat| view.to_act().any(|acting| acting == seat))
            }
            Some(Frame::Event(event)) => match &event.kind {
                Some(event::Kind::DrawOffered(offered)) => {
                    self.is_asked = self.is_other(offered.seat());
                    false
                }
                // After its own move the seat waits, unless it moves twice.
                Some(
                    event::Kind::MatchStarted(_) | event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_),
                ) => true,
                _ => false,
            },
            Some(Frame::Heartbeat(_)) | None => false,
        };
        if opens_a_turn {
            let wait = self.pace.wait(&self.service, &self.match_id, self.seat).await?;
            self.act_at = Some(Instant::now() + wait);
        }
        Ok(())
    }

    fn is_other(&self, seat: Seat) -> bool {
        self.seat.is_some_and(|own| own != seat)
    }

    /// Makes a move. None if it turns out that the seat is not to act: an event may
    /// be old news when it is read.
    async fn move_if_to_act(&mut self) -> Result<Option<SubmitMoveResponse>, Failure> {
        let Some((made, seq)) = self.chosen().await? else { return Ok(None) };
        let submit = SubmitMoveRequest {
            match_id: self.match_id.clone(),
            request_id: Some(Uuid::new_v4().to_string()),
            expected_seq: Some(seq),
            input: made.map(Input::Move),
        };
        unless_too_late(self.service.submit_move(submit).await)
    }

    /// The move to make and the position that it is meant for.
    async fn chosen(&mut self) -> Result<Option<(Option<Move>, u32)>, Failure> {
        if let (Skill::Greedy, Some(seat)) = (self.skill, self.seat)
            && self.pace.haste(&self.service, &self.match_id, seat).await? == Haste::TimeToThink
        {
            let began = Instant::now();
            let thought = self.sight.think(&self.service, &self.match_id, seat, &mut self.lots).await?;
            self.pace.took(began.elapsed());
            match thought {
                Thought::Best { made, seq } => return Ok(Some((Some(made), seq))),
                Thought::NotToAct => return Ok(None),
                // Some legal move is better than none.
                Thought::Unsure => {}
            }
        }
        let lot = *self.lot.get_or_insert_with(|| self.lots.next_u64());
        let sample = SampleMoveRequest { match_id: self.match_id.clone(), seed: Some(lot) };
        let sample = unless_too_late(self.service.sample_move(sample).await)?;
        if sample.is_some() {
            self.lot = None;
        }
        Ok(sample.map(|sample| (sample.r#move, sample.seq)))
    }

    /// Takes a draw if it stands worse and knows it, else plays on. None if the offer
    /// stands no longer.
    async fn answer_offer(&mut self) -> Result<Option<Step>, Failure> {
        let (match_id, request_id) = (self.match_id.clone(), Some(Uuid::new_v4().to_string()));
        if self.stands_worse().await? {
            let taken = self.service.accept_draw(AcceptDrawRequest { match_id, request_id }).await;
            return Ok(unless_too_late(taken)?.map(|taken| Step::Accepted(Box::new(taken))));
        }
        let refused = self.service.decline_draw(DeclineDrawRequest { match_id, request_id }).await;
        Ok(unless_too_late(refused)?.map(|refused| Step::Declined(Box::new(refused))))
    }

    async fn stands_worse(&mut self) -> Result<bool, Failure> {
        match (self.skill, self.seat) {
            (Skill::Greedy, Some(seat)) => {
                let standing = self.sight.standing(&self.service, &self.match_id, seat).await?;
                Ok(standing == Some(Standing::Worse))
            }
            (Skill::Random, _) | (Skill::Greedy, None) => Ok(false),
        }
    }
}

fn unless_too_late<T>(answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
    const LATE: [&str; 4] = ["not_your_turn", "stale_position", "match_over", "no_draw_offer"];
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::Refused(refusal)) if LATE.iter().any(|late| refusal.has_reason(late)) => Ok(None),
        Err(failure) => Err(failure),
    }
}
