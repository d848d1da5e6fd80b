//! How long a bot takes for a move: never more than a part of what its clock has left, so that it does not
//! lose on time.

use std::time::Duration;

use matchbook_client::SeatClient;
use wire::v1::time_control::Kind;
use wire::v1::{GetViewResponse, TimeControl};

use crate::failure::Failure;

/// Allowance for the calls around a thought.
const CALLS: Duration = Duration::from_millis(100);
/// A bot uses at most one part in this many of the time for a move.
const MOVE_DIVISOR: u32 = 2;
/// A bot uses at most one part in this many of its time budget, to have time for as many more moves.
const BANK_DIVISOR: u32 = 20;

/// A bot's use of time in one match.
pub(crate) struct Pacing {
    delay: Duration,
    longest_thought: Duration,
    clocks: Clocks,
}

/// A match's clocks, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clocks {
    Unknown,
    Absent,
    /// One move may take one part in this many of the remaining time.
    Divisor(u32),
}

/// Whether the clock leaves time to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    /// Enough for a thought as long as the longest one so far.
    Thought,
    /// Enough only for a random move.
    RandomMove,
}

impl Pacing {
    /// Waits this long before each move, unless a clock forbids it.
    pub(crate) fn new(delay: Duration) -> Self {
        Self { delay, longest_thought: Duration::ZERO, clocks: Clocks::Unknown }
    }

    /// Returns how long to wait before the next move.
    pub(crate) async fn delay(
        &mut self,
        client: &SeatClient,
        seat: Option<u32>,
    ) -> Result<Duration, Failure> {
        let Some(seat) = seat.filter(|_| !self.delay.is_zero()) else { return Ok(self.delay) };
        let time = self.time_for_move(client, seat).await?;
        Ok(time.map_or(self.delay, |time| self.delay.min(time)))
    }

    /// Returns whether the clock leaves time for another thought.
    pub(crate) async fn budget(&mut self, client: &SeatClient, seat: u32) -> Result<Budget, Failure> {
        let needed = self.longest_thought * 2 + CALLS;
        let time = self.time_for_move(client, seat).await?;
        Ok(if time.is_none_or(|time| needed <= time) { Budget::Thought } else { Budget::RandomMove })
    }

    /// Records how long a thought took.
    pub(crate) fn record_thought(&mut self, took: Duration) {
        self.longest_thought = self.longest_thought.max(took);
    }

    /// Returns the time for the next move; `None` without clocks.
    async fn time_for_move(&mut self, client: &SeatClient, seat: u32) -> Result<Option<Duration>, Failure> {
        if self.clocks == Clocks::Unknown {
            let a_match = client.get_match().await?.r#match.unwrap_or_default();
            self.clocks = a_match.time_control.map_or(Clocks::Absent, divisor);
        }
        let Clocks::Divisor(divisor) = self.clocks else { return Ok(None) };
        Ok(remaining(client.view().await?, seat).map(|remaining| remaining / divisor))
    }
}

fn divisor(control: TimeControl) -> Clocks {
    match control.kind {
        Some(Kind::Bank(_)) => Clocks::Divisor(BANK_DIVISOR),
        Some(Kind::PerMove(_)) | None => Clocks::Divisor(MOVE_DIVISOR),
    }
}

/// Returns the remaining time of a seat by the service's time; `None` where the view has no clocks.
fn remaining(answer: GetViewResponse, seat: u32) -> Option<Duration> {
    let mut view = answer.view?;
    if let Some(now) = &answer.server_time {
        view = board::clocks_at(view, now);
    }
    let clocks = view.clocks?;
    let clock = clocks.seats.iter().find(|clock| clock.seat == Some(seat))?;
    Duration::try_from(clock.remaining?).ok()
}
