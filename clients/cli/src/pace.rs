//! How long a bot may take for a move, so that it never loses on time: only a part
//! of what its clock has left.

use std::time::Duration;

use wire::v1::time_control::Kind;
use wire::v1::{GetViewRequest, GetViewResponse, Seat, TimeControl};

use crate::connection::Service;
use crate::failure::Failure;

/// What the calls around a thought may take.
const CALLS: Duration = Duration::from_millis(100);
/// A move's time is not used to the last: half of it is left.
const PART_OF_A_MOVE: u32 = 2;
/// So many moves should still be possible with what a bank has left.
const PART_OF_A_BANK: u32 = 20;

/// A bot's sense of time in one match.
pub(crate) struct Pace {
    delay: Duration,
    /// The longest that a thought has taken so far.
    longest: Duration,
    /// Which part of the time that is left one move may take, once the service has told.
    clocks: Clocks,
}

/// What is known of a match's clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clocks {
    Unknown,
    Absent,
    /// One part in so many.
    Part(u32),
}

/// Whether there is time to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Haste {
    /// As long as thoughts have taken so far.
    TimeToThink,
    /// Any move, at once.
    AnyMove,
}

impl Pace {
    /// Waits so long before each move where no clock forbids it.
    pub(crate) fn new(delay: Duration) -> Self {
        Self { delay, longest: Duration::ZERO, clocks: Clocks::Unknown }
    }

    /// How long to wait before the next move.
    pub(crate) async fn wait(
        &mut self,
        service: &Service,
        match_id: &str,
        seat: Option<Seat>,
    ) -> Result<Duration, Failure> {
        let Some(seat) = seat.filter(|_| !self.delay.is_zero()) else { return Ok(self.delay) };
        let share = self.share(service, match_id, seat).await?;
        Ok(share.map_or(self.delay, |share| self.delay.min(share)))
    }

    /// Whether the clock leaves time for another thought.
    pub(crate) async fn haste(
        &mut self,
        service: &Service,
        match_id: &str,
        seat: Seat,
    ) -> Result<Haste, Failure> {
        let needed = self.longest * 2 + CALLS;
        let share = self.share(service, match_id, seat).await?;
        Ok(if share.is_none_or(|share| needed <= share) { Haste::TimeToThink } else { Haste::AnyMove })
    }

    /// Notes how long a thought has taken.
    pub(crate) fn took(&mut self, thought: Duration) {
        self.longest = self.longest.max(thought);
    }

    /// What the next move may take; none without clocks.
    async fn share(
        &mut self,
        service: &Service,
        match_id: &str,
        seat: Seat,
    ) -> Result<Option<Duration>, Failure> {
        if self.clocks == Clocks::Unknown {
            let a_match = service.get_match(match_id).await?.r#match.unwrap_or_default();
            self.clocks = a_match.time_control.map_or(Clocks::Absent, part);
        }
        let Clocks::Part(part) = self.clocks else { return Ok(None) };
        let now = GetViewRequest { match_id: match_id.to_owned(), ..GetViewRequest::default() };
        Ok(left(service.get_view(now).await?, seat).map(|left| left / part))
    }
}

fn part(control: TimeControl) -> Clocks {
    match control.kind {
        Some(Kind::Bank(_)) => Clocks::Part(PART_OF_A_BANK),
        Some(Kind::PerMove(_)) | None => Clocks::Part(PART_OF_A_MOVE),
    }
}

/// What a seat's clock shows by the service's time; none where no clocks are shown.
fn left(answer: GetViewResponse, seat: Seat) -> Option<Duration> {
    let mut view = answer.view?;
    if let Some(now) = &answer.server_time {
        view = board::counted_to(view, now);
    }
    let clocks = view.clocks?;
    let clock = clocks.seats.iter().find(|clock| clock.seat() == seat)?;
    Some(Duration::from_millis(u64::from(clock.remaining_ms)))
}
