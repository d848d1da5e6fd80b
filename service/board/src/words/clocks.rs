//! Clocks in words: the time a seat has left, a match's time control, and a view's clocks at a later time.

use prost_types::{Duration, Timestamp};
use wire::v1::time_control::Kind;
use wire::v1::{TimeControl, View};

/// Times below this are shown with tenths of a second.
const TENTHS_BELOW_MS: u64 = 10_000;

/// Returns the view with its running clocks counted down to `now`, the service's time. Stopped clocks do not
/// change.
pub fn clocks_at(mut view: View, now: &Timestamp) -> View {
    for clock in view.clocks.iter_mut().flat_map(|clocks| &mut clocks.seats) {
        if let Some(due) = &clock.due_time {
            let left = u64::try_from(millis(due).saturating_sub(millis(now))).unwrap_or(0);
            let left = left.min(duration_ms(clock.remaining.as_ref()));
            clock.remaining = Some(from_ms(left));
        }
    }
    view
}

/// Describes a time control: `30 s per move`, `5 min + 3 s per move`.
pub fn time_control(control: &TimeControl) -> String {
    match &control.kind {
        Some(Kind::PerMove(each)) => format!("{} per move", span(each.move_time.as_ref())),
        Some(Kind::Bank(bank)) if duration_ms(bank.increment.as_ref()) == 0 => {
            format!("{} for the match", span(bank.budget.as_ref()))
        }
        Some(Kind::Bank(bank)) => {
            format!("{} + {} per move", span(bank.budget.as_ref()), span(bank.increment.as_ref()))
        }
        None => "a time control that this version does not know".to_owned(),
    }
}

/// Returns the time on a seat's clock: `2:05 left`. `None` if the match has no clocks.
pub(super) fn time_left(view: &View, seat: u32) -> Option<String> {
    let clock = view.clocks.as_ref()?.seats.iter().find(|clock| clock.seat == Some(seat))?;
    Some(format!("{} left", face(duration_ms(clock.remaining.as_ref()))))
}

/// Formats a duration like a clock, rounded down: `2:05`, `0:09.4`, `3 d 04:00:00`.
fn face(ms: u64) -> String {
    let (days, hours) = (ms / 86_400_000, ms / 3_600_000 % 24);
    let (minutes, seconds) = (ms / 60_000 % 60, ms / 1_000 % 60);
    match (days, hours) {
        (0, 0) if ms < TENTHS_BELOW_MS => format!("0:0{seconds}.{}", ms / 100 % 10),
        (0, 0) => format!("{minutes}:{seconds:02}"),
        (0, hours) => format!("{hours}:{minutes:02}:{seconds:02}"),
        (days, hours) => format!("{days} d {hours:02}:{minutes:02}:{seconds:02}"),
    }
}

/// Formats a duration in units, largest first: `1 h 30 min`.
fn span(duration: Option<&Duration>) -> String {
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"), (1, "ms")];
    let mut rest = duration_ms(duration);
    let mut parts = Vec::new();
    for (size, name) in units {
        if rest >= size {
            parts.push(format!("{} {name}", rest / size));
            rest %= size;
        }
    }
    if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") }
}

/// Returns the whole milliseconds of a duration. An absent or negative one counts as none.
fn duration_ms(duration: Option<&Duration>) -> u64 {
    let Some(duration) = duration else { return 0 };
    let seconds = u64::try_from(duration.seconds).unwrap_or(0);
    let millis = u64::try_from(duration.nanos / 1_000_000).unwrap_or(0);
    seconds.saturating_mul(1_000).saturating_add(millis)
}

fn from_ms(ms: u64) -> Duration {
    let nanos = i32::try_from(ms % 1_000 * 1_000_000).expect("less than a second of nanoseconds fits");
    Duration { seconds: i64::try_from(ms / 1_000).unwrap_or(i64::MAX), nanos }
}

fn millis(time: &Timestamp) -> i64 {
    time.seconds.saturating_mul(1_000).saturating_add(i64::from(time.nanos) / 1_000_000)
}

#[cfg(test)]
mod tests {
    use wire::v1::{Bank, Clocks, PerMove, SeatClock};

    use super::*;

    fn at(seconds: i64, millis: i32) -> Timestamp {
        Timestamp { seconds, nanos: millis * 1_000_000 }
    }

    #[test]
    fn faces_show_as_many_units_as_needed() {
        let faces = [
            (0, "0:00.0"),
            (9_999, "0:09.9"),
            (10_000, "0:10"),
            (125_400, "2:05"),
            (3_600_000, "1:00:00"),
            (2_592_000_000, "30 d 00:00:00"),
            (4_294_967_295, "49 d 17:02:47"),
        ];
        for (ms, expected) in faces {
            assert_eq!(face(ms), expected);
        }
    }

    #[test]
    fn time_controls_in_words() {
        let each = |ms| PerMove { move_time: Some(from_ms(ms)) };
        let each = |ms| TimeControl { kind: Some(Kind::PerMove(each(ms))) };
        let bank =
            |budget, increment| Bank { budget: Some(from_ms(budget)), increment: Some(from_ms(increment)) };
        let bank = |budget, increment| TimeControl { kind: Some(Kind::Bank(bank(budget, increment))) };
        assert_eq!(time_control(&each(30_000)), "30 s per move");
        assert_eq!(time_control(&each(100)), "100 ms per move");
        assert_eq!(time_control(&bank(5_400_000, 3_000)), "1 h 30 min + 3 s per move");
        assert_eq!(time_control(&bank(300_000, 0)), "5 min for the match");
    }

    #[test]
    fn only_running_clocks_count_down_and_never_below_zero() {
        let clock =
            |seat: u32, due_time| SeatClock { seat: Some(seat), remaining: Some(from_ms(30_000)), due_time };
        let clocks = Clocks { seats: vec![clock(0, Some(at(130, 0))), clock(1, None)] };
        let view = View { clocks: Some(clocks), ..View::default() };
        let left = |now: Timestamp| {
            let counted = clocks_at(view.clone(), &now).clocks.unwrap_or_default();
            [0, 1].map(|seat| duration_ms(counted.seats[seat].remaining.as_ref()))
        };
        assert_eq!(left(at(100, 0)), [30_000, 30_000]);
        assert_eq!(left(at(117, 500)), [12_500, 30_000]);
        assert_eq!(left(at(131, 0)), [0, 30_000]);
        // A time before the view's does not add time.
        assert_eq!(left(at(90, 0)), [30_000, 30_000]);
    }
}
