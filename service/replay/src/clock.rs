//! Game clocks: each seat's remaining time, computed from record times alone. Nothing here reads the
//! current time.

use event::{BySeat, RecordTime, Seat, Seats};
use wire::log::v1 as log;
use wire::v1 as proto;

use crate::convert::{duration_from_wire, duration_to_wire};

/// Microseconds in a millisecond.
const MILLI: i64 = 1_000;

/// Minimum and maximum of a time per move or of a bank, in milliseconds.
pub const TIME_RANGE_MS: (u32, u32) = (100, 2_592_000_000);

/// Maximum increment of a bank, in milliseconds.
pub const MAX_INCREMENT_MS: u32 = 86_400_000;

/// How a match limits thinking time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A time budget for each move.
    PerMove {
        /// Time for each move, in milliseconds.
        move_ms: u32,
    },
    /// A time budget for the match plus an increment per move.
    Bank {
        /// Budget at the start, in milliseconds.
        bank_ms: u32,
        /// Increment per move, in milliseconds.
        increment_ms: u32,
    },
}

/// The error for a time control with a field that is missing or out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field} must be {must}")]
pub struct BadTimeControl {
    /// Path of the field within the request, in proto spelling.
    pub field: &'static str,
    /// What the field must be.
    pub must: &'static str,
}

impl TimeControl {
    /// Reads the time control of a request.
    pub fn from_wire(control: &proto::TimeControl) -> Result<Self, BadTimeControl> {
        use proto::time_control::Kind;
        match &control.kind {
            None => {
                Err(BadTimeControl { field: "time_control", must: "absent, or have `per_move` or `bank`" })
            }
            Some(Kind::PerMove(each)) => Ok(Self::PerMove {
                move_ms: time("time_control.per_move.move_time", each.move_time.as_ref())?,
            }),
            Some(Kind::Bank(bank)) => Ok(Self::Bank {
                bank_ms: time("time_control.bank.budget", bank.budget.as_ref())?,
                increment_ms: increment("time_control.bank.increment", bank.increment.as_ref())?,
            }),
        }
    }

    /// Converts the time control for clients.
    pub fn to_wire(self) -> proto::TimeControl {
        use proto::time_control::Kind;
        let duration = |ms| Some(duration_to_wire(i64::from(ms) * MILLI));
        let kind = match self {
            Self::PerMove { move_ms } => Kind::PerMove(proto::PerMove { move_time: duration(move_ms) }),
            Self::Bank { bank_ms, increment_ms } => {
                Kind::Bank(proto::Bank { budget: duration(bank_ms), increment: duration(increment_ms) })
            }
        };
        proto::TimeControl { kind: Some(kind) }
    }

    /// Returns a seat's time at the start, in microseconds.
    fn full(self) -> i64 {
        match self {
            Self::PerMove { move_ms } => i64::from(move_ms) * MILLI,
            Self::Bank { bank_ms, .. } => i64::from(bank_ms) * MILLI,
        }
    }

    /// Returns a seat's time after a move that left it this much, in microseconds.
    fn after_move(self, left: i64) -> i64 {
        match self {
            Self::PerMove { .. } => self.full(),
            Self::Bank { increment_ms, .. } => left + i64::from(increment_ms) * MILLI,
        }
    }
}

/// The clock settings of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSettings {
    /// The time control.
    pub control: TimeControl,
    /// Grace period in which a late move is still accepted, in milliseconds.
    pub grace_ms: u32,
}

impl ClockSettings {
    /// Reads stored clock settings. Returns `None` if a field is missing or out of range.
    pub(crate) fn from_log(stored: &log::TimeControl) -> Option<Self> {
        use log::time_control::Kind;
        let control = match stored.kind.as_ref()? {
            Kind::MoveUs(us) => TimeControl::PerMove { move_ms: stored_ms(*us, TIME_RANGE_MS)? },
            Kind::Bank(bank) => TimeControl::Bank {
                bank_ms: stored_ms(bank.budget_us, TIME_RANGE_MS)?,
                increment_ms: stored_ms(bank.increment_us, (0, MAX_INCREMENT_MS))?,
            },
        };
        Some(Self { control, grace_ms: stored_ms(stored.grace_us, (0, u32::MAX))? })
    }

    /// Converts the settings for the log.
    pub(crate) fn to_log(self) -> log::TimeControl {
        use log::time_control::Kind;
        let kind = match self.control {
            TimeControl::PerMove { move_ms } => Kind::MoveUs(stored_us(move_ms)),
            TimeControl::Bank { bank_ms, increment_ms } => Kind::Bank(log::TimeBank {
                budget_us: stored_us(bank_ms),
                increment_us: stored_us(increment_ms),
            }),
        };
        log::TimeControl { kind: Some(kind), grace_us: stored_us(self.grace_ms) }
    }
}

fn stored_us(ms: u32) -> u64 {
    u64::from(ms) * MILLI.unsigned_abs()
}

fn stored_ms(us: u64, (least, most): (u32, u32)) -> Option<u32> {
    let ms = us.is_multiple_of(MILLI.unsigned_abs()).then_some(us / MILLI.unsigned_abs())?;
    u32::try_from(ms).ok().filter(|ms| (least..=most).contains(ms))
}

/// Reads the time of a move or a bank, in milliseconds.
fn time(field: &'static str, time: Option<&prost_types::Duration>) -> Result<u32, BadTimeControl> {
    let (least, most) = TIME_RANGE_MS;
    let ms = time.and_then(duration_from_wire).and_then(|ms| u32::try_from(ms).ok());
    let ms = ms.filter(|ms| (least..=most).contains(ms));
    ms.ok_or(BadTimeControl { field, must: "0.1 to 2592000 seconds, in whole milliseconds" })
}

/// Reads an increment, in milliseconds. An absent one is 0.
fn increment(field: &'static str, time: Option<&prost_types::Duration>) -> Result<u32, BadTimeControl> {
    let Some(time) = time else { return Ok(0) };
    let ms = duration_from_wire(time).and_then(|ms| u32::try_from(ms).ok());
    let ms = ms.filter(|ms| *ms <= MAX_INCREMENT_MS);
    ms.ok_or(BadTimeControl { field, must: "0 to 86400 seconds, in whole milliseconds" })
}

/// The clocks of a running match. Durations are in microseconds.
#[derive(Clone)]
pub(crate) struct Clocks {
    settings: ClockSettings,
    seats: BySeat<Clock>,
}

#[derive(Clone, Copy)]
struct Clock {
    /// Time left when the clock last started or stopped.
    remaining: i64,
    /// When the clock started, or `None` while it is stopped.
    since: Option<RecordTime>,
}

impl Clocks {
    pub(crate) fn new(settings: ClockSettings, seats: usize) -> Self {
        let full = Clock { remaining: settings.control.full(), since: None };
        Self { settings, seats: BySeat::from_fn(seats, |_| full) }
    }

    /// Stops a seat's clock because it moved: deducts the time taken and adds the increment.
    pub(crate) fn stop(&mut self, seat: Seat, at: RecordTime) {
        let left = self.seats[seat].left(at);
        self.seats[seat] = Clock { remaining: self.settings.control.after_move(left), since: None };
    }

    /// Runs the clocks of these seats and stops the others.
    pub(crate) fn run(&mut self, to_act: Seats, at: RecordTime) {
        for seat in self.seats.seats() {
            let clock = &mut self.seats[seat];
            match (to_act.contains(seat), clock.since) {
                (true, None) => clock.since = Some(at),
                (false, Some(_)) => *clock = Clock { remaining: clock.left(at), since: None },
                (true, Some(_)) | (false, None) => {}
            }
        }
    }

    /// Returns the earliest time at which a seat runs out of time.
    pub(crate) fn next_due(&self) -> Option<RecordTime> {
        self.seats.iter().filter_map(|(_, clock)| clock.due()).min()
    }

    /// Returns who has lost on time at this time, grace period included: the seat due first, or several that
    /// were due together.
    pub(crate) fn overdue(&self, at: RecordTime) -> Option<Seats> {
        let grace = i64::from(self.settings.grace_ms) * MILLI;
        let first = self.next_due().filter(|due| due.0.saturating_add(grace) < at.0)?;
        let late = self.seats.iter().filter(|(_, clock)| clock.due() == Some(first));
        Some(late.map(|(seat, _)| seat).collect())
    }

    /// Returns each seat's remaining time in microseconds, and when it runs out if the clock is running.
    pub(crate) fn all(&self, at: RecordTime) -> impl Iterator<Item = (Seat, i64, Option<RecordTime>)> {
        self.seats.iter().map(move |(seat, clock)| (seat, clock.left(at), clock.due()))
    }
}

impl Clock {
    fn due(&self) -> Option<RecordTime> {
        self.since.map(|since| RecordTime(since.0.saturating_add(self.remaining)))
    }

    /// Returns the remaining time. Never negative: within the grace period a seat may move with no time left.
    fn left(&self, at: RecordTime) -> i64 {
        let spent = self.since.map_or(0, |since| at.0.saturating_sub(since.0));
        self.remaining.saturating_sub(spent).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: Seat = Seat::ALL[0];
    const ONE: Seat = Seat::ALL[1];
    const BANK: TimeControl = TimeControl::Bank { bank_ms: 10_000, increment_ms: 2_000 };

    fn at(micros: i64) -> RecordTime {
        RecordTime(micros)
    }

    fn both() -> Seats {
        [ZERO, ONE].into_iter().collect()
    }

    /// Returns a seat's remaining time, and when it runs out.
    fn of(clocks: &Clocks, seat: Seat, at: RecordTime) -> (i64, Option<RecordTime>) {
        let (_, left, due) = clocks.all(at).nth(seat.index()).unwrap();
        (left, due)
    }

    fn clocks(control: TimeControl, to_act: Seats) -> Clocks {
        let mut clocks = Clocks::new(ClockSettings { control, grace_ms: 250 }, 2);
        clocks.run(to_act, at(0));
        clocks
    }

    #[test]
    fn a_move_costs_its_time_from_the_bank_and_adds_the_increment() {
        let mut clocks = clocks(BANK, Seats::only(ZERO));
        assert_eq!(clocks.next_due(), Some(at(10_000_000)));
        clocks.stop(ZERO, at(3_000_000));
        clocks.run(Seats::only(ONE), at(3_000_000));
        assert_eq!(of(&clocks, ZERO, at(3_000_000)), (9_000_000, None));
        assert_eq!(of(&clocks, ONE, at(4_000_000)), (9_000_000, Some(at(13_000_000))));
    }

    #[test]
    fn per_move_time_starts_full_for_every_move() {
        let mut clocks = clocks(TimeControl::PerMove { move_ms: 5_000 }, Seats::only(ZERO));
        clocks.stop(ZERO, at(4_900_000));
        clocks.run(Seats::only(ZERO), at(4_900_000));
        assert_eq!(clocks.next_due(), Some(at(9_900_000)));
    }

    #[test]
    fn a_seat_is_late_after_due_time_plus_grace() {
        let clocks = clocks(BANK, Seats::only(ONE));
        assert_eq!(clocks.overdue(at(10_250_000)), None);
        assert_eq!(clocks.overdue(at(10_250_001)), Some(Seats::only(ONE)));
    }

    #[test]
    fn a_move_within_the_grace_period_leaves_no_debt() {
        let mut clocks = clocks(BANK, Seats::only(ZERO));
        clocks.stop(ZERO, at(10_200_000));
        assert_eq!(of(&clocks, ZERO, at(10_200_000)), (2_000_000, None));
    }

    #[test]
    fn the_seat_due_first_is_late_and_seats_due_together_are_late_together() {
        let mut clocks = clocks(BANK, both());
        assert_eq!(clocks.overdue(at(99_000_000)), Some(both()));
        clocks.stop(ZERO, at(1_000_000));
        clocks.run(both(), at(1_000_000));
        assert_eq!(clocks.overdue(at(99_000_000)), Some(Seats::only(ONE)));
    }

    #[test]
    fn of_three_seats_those_due_first_are_late() {
        let mut clocks = Clocks::new(ClockSettings { control: BANK, grace_ms: 250 }, 3);
        clocks.run(both(), at(0));
        clocks.run(both().iter().chain([Seat::ALL[2]]).collect(), at(1));
        assert_eq!(clocks.overdue(at(99_000_000)), Some(both()));
    }

    #[test]
    fn clocks_of_a_forged_log_reach_the_end_of_time_without_overflow() {
        let mut clocks = Clocks::new(ClockSettings { control: BANK, grace_ms: u32::MAX }, 2);
        clocks.run(both(), at(i64::MAX - 1));
        assert_eq!(clocks.next_due(), Some(at(i64::MAX)));
        assert_eq!(clocks.overdue(at(i64::MAX)), None);
        clocks.run(Seats::only(ZERO), at(i64::MIN));
        assert_eq!(at(i64::MAX).next(), at(i64::MAX));
    }

    #[test]
    fn time_controls_out_of_range_are_rejected() {
        let read = |kind| TimeControl::from_wire(&proto::TimeControl { kind });
        use proto::time_control::Kind;
        assert_eq!(read(None).unwrap_err().field, "time_control");
        let duration = |ms: u32| Some(duration_to_wire(i64::from(ms) * MILLI));
        let per_move = |move_time| read(Some(Kind::PerMove(proto::PerMove { move_time })));
        let finer = Some(prost_types::Duration { seconds: 1, nanos: 1 });
        let negative = Some(prost_types::Duration { seconds: -1, nanos: 0 });
        for move_time in [None, duration(0), duration(99), duration(TIME_RANGE_MS.1 + 1), finer, negative] {
            assert_eq!(per_move(move_time).unwrap_err().field, "time_control.per_move.move_time");
        }
        let bank = |bank_ms, increment_ms| {
            let (budget, increment) = (duration(bank_ms), duration(increment_ms));
            read(Some(Kind::Bank(proto::Bank { budget, increment })))
        };
        assert_eq!(bank(99, 0).unwrap_err().field, "time_control.bank.budget");
        assert_eq!(bank(100, MAX_INCREMENT_MS + 1).unwrap_err().field, "time_control.bank.increment");
        assert_eq!(bank(10_000, 2_000), Ok(BANK));
        assert_eq!(TimeControl::from_wire(&BANK.to_wire()), Ok(BANK));
        let budget = duration(10_000);
        let without = read(Some(Kind::Bank(proto::Bank { budget, increment: None })));
        assert_eq!(without, Ok(TimeControl::Bank { bank_ms: 10_000, increment_ms: 0 }));
    }

    #[test]
    fn stored_settings_read_back_and_are_checked() {
        for control in [BANK, TimeControl::PerMove { move_ms: 100 }] {
            let settings = ClockSettings { control, grace_ms: 250 };
            assert_eq!(ClockSettings::from_log(&settings.to_log()), Some(settings));
        }
        let kind = Some(log::time_control::Kind::MoveUs(99_999));
        assert_eq!(ClockSettings::from_log(&log::TimeControl { kind, grace_us: 0 }), None);
        assert_eq!(ClockSettings::from_log(&log::TimeControl { kind: None, grace_us: 0 }), None);
    }
}
