//! A seat that a bot plays: waits for its turn, chooses, submits, until the match
//! is over. How it chooses is in `sight` and `bots`.

use std::time::Duration;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng as _},
};
use uuid::Uuid;
use wire::v1::{
    Move, SampleMoveRequest, Seat, SubmitMoveRequest, SubmitMoveResponse, View, Viewer, WatchMatchResponse,
    event, submit_move_request::Input, watch_match_response::Frame,
};

use crate::{
    bots::Skill,
    connection::Service,
    failure::Failure,
    follow::Follow,
    sight::{Sight, Thought},
};

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
    lots: ChaCha8Rng,
    /// The seat whose token it has, once the service has told.
    seat: Option<Seat>,
    delay: Duration,
    /// Something happened after which it may be this seat's turn.
    may_act: bool,
}

/// Something that a player saw or did.
pub(crate) enum Step {
    /// A frame of its watch.
    Saw(Box<WatchMatchResponse>),
    /// A move that was accepted.
    Moved(Box<SubmitMoveResponse>),
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
            lots: ChaCha8Rng::seed_from_u64(temper.seed.unwrap_or_else(rand::random)),
            seat: None,
            delay: temper.delay,
            may_act: false,
        }
    }

    /// Plays to the end of the match without telling anybody.
    pub(crate) async fn play(mut self) -> Result<(), Failure> {
        while self.step().await?.is_some() {}
        Ok(())
    }

    /// Does or sees the next thing; none after the match's last event.
    pub(crate) async fn step(&mut self) -> Result<Option<Step>, Failure> {
        if std::mem::take(&mut self.may_act)
            && let Some(moved) = self.move_if_to_act().await?
        {
            return Ok(Some(Step::Moved(Box::new(moved))));
        }
        let Some(response) = self.follow.next().await? else { return Ok(None) };
        self.may_act = self.opens_a_turn(&response);
        Ok(Some(Step::Saw(Box::new(response))))
    }

    /// Whether it may be this seat's turn after that frame.
    fn opens_a_turn(&mut self, response: &WatchMatchResponse) -> bool {
        match &response.frame {
            Some(Frame::Start(start)) => {
                let view = start.view.clone().unwrap_or_default();
                self.seat = viewing_seat(&view);
                // Both seats can share a seed and still play differently.
                self.lots.set_stream(u64::from(self.seat == Some(Seat::One)));
                self.seat.is_some_and(|seat| view.to_act().any(|acting| acting == seat))
            }
            Some(Frame::Event(event)) => matches!(
                event.kind,
                Some(event::Kind::MatchStarted(_) | event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_))
            ),
            Some(Frame::Heartbeat(_)) | None => false,
        }
    }

    /// Makes a move. None if it turns out that the seat is not to act: an event may
    /// be old news when it is read.
    async fn move_if_to_act(&mut self) -> Result<Option<SubmitMoveResponse>, Failure> {
        tokio::time::sleep(self.delay).await;
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
        if let (Skill::Greedy, Some(seat)) = (self.skill, self.seat) {
            let thought = self.sight.think(&self.service, &self.match_id, seat, &mut self.lots).await?;
            match thought {
                Thought::Best { made, seq } => return Ok(Some((Some(made), seq))),
                Thought::NotToAct => return Ok(None),
                // Some legal move is better than none.
                Thought::Unsure => {}
            }
        }
        let sample = SampleMoveRequest { match_id: self.match_id.clone(), seed: Some(self.lots.next_u64()) };
        let sample = unless_too_late(self.service.sample_move(sample).await)?;
        Ok(sample.map(|sample| (sample.r#move, sample.seq)))
    }
}

fn unless_too_late<T>(answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::Refused(refusal))
            if ["not_your_turn", "stale_position", "match_over"]
                .iter()
                .any(|late| refusal.has_reason(late)) =>
        {
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn viewing_seat(view: &View) -> Option<Seat> {
    match view.viewer() {
        Viewer::SeatZero => Some(Seat::Zero),
        Viewer::SeatOne => Some(Seat::One),
        Viewer::Unspecified | Viewer::Spectator | Viewer::Open => None,
    }
}
