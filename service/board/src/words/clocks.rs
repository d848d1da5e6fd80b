//! Clocks in words: the time a seat has left, a match's time control, and a view's clocks at a later time.

use prost_types::Timestamp;
use wire::v1::time_control::Kind;
use wire::v1::{Seat, TimeControl, View};

/// Times below this are shown with tenths of a second.
const TENTHS_BELOW_MS: u64 = 10_000;

/// Returns the view with its running clocks counted down to `now`, the service's time. Stopped clocks do not
/// change.
pub fn clocks_at(mut view: View, now: &Timestamp) -> View {
    for clock in view.clocks.iter_mut().flat_map(|clocks| &mut clocks.seats) {
        if let Some(due) = &clock.due_time {
            let left = u32::try_from(millis(due).saturating_sub(millis(now)).max(0)).unwrap_or(u32::MAX);
            clock.remaining_ms = clock.remaining_ms.min(left);
        }
    }
    view
}

/// Describes a time control: `30 s per move`, `5 min + 3 s per move`.
pub fn time_control(control: &TimeControl) -> String {
    match &control.kind {
        Some(Kind::PerMove(each)) => format!("{} per move", span(each.move_ms)),
        Some(Kind::Bank(bank)) if bank.increment_ms == 0 => format!("{} for the match", span(bank.bank_ms)),
        Some(Kind::Bank(bank)) => {
            format!("{} + {} per move", span(bank.bank_ms), span(bank.increment_ms))
        }
        None => "a time control that this version does not know".to_owned(),
    }
}

/// Returns the time on a seat's clock: `2:05 left`. `None` if the match has no clocks.
pub(super) fn time_left(view: &View, seat: Seat) -> Option<String> {
    let clock = view.clocks.as_ref()?.seats.iter().find(|clock| clock.seat() == seat)?;
    Some(format!("{} left", face(clock.remaining_ms)))
}

/// Formats a duration like a clock, rounded down: `2:05`, `0:09.4`, `3 d 04:00:00`.
fn face(ms: u32) -> String {
    let ms = u64::from(ms);
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
fn span(ms: u32) -> String {
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"), (1, "ms")];
    let mut rest = ms;
    let mut parts = Vec::new();
    for (size, name) in units {
        if rest >= size {
            parts.push(format!("{} {name}", rest / size));
            rest %= size;
        }
    }
    if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") }
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
            (u32::MAX, "49 d 17:02:47"),
        ];
        for (ms, expected) in faces {
            assert_eq!(face(ms), expected);
        }
    }

    #[test]
    fn time_controls_in_words() {
        let each = |move_ms| TimeControl { kind: Some(Kind::PerMove(PerMove { move_ms })) };
        let bank =
            |bank_ms, increment_ms| TimeControl { kind: Some(Kind::Bank(Bank { bank_ms, increment_ms })) };
        assert_eq!(time_control(&each(30_000)), "30 s per move");
        assert_eq!(time_control(&each(100)), "100 ms per move");
        assert_eq!(time_control(&bank(5_400_000, 3_000)), "1 h 30 min + 3 s per move");
        assert_eq!(time_control(&bank(300_000, 0)), "5 min for the match");
    }

    #[test]
    fn only_running_clocks_count_down_and_never_below_zero() {
        let clock = |seat: Seat, due_time| SeatClock { seat: seat.into(), remaining_ms: 30_000, due_time };
        let clocks = Clocks { seats: vec![clock(Seat::Zero, Some(at(130, 0))), clock(Seat::One, None)] };
        let view = View { clocks: Some(clocks), ..View::default() };
        let left = |now: Timestamp| {
            let counted = clocks_at(view.clone(), &now).clocks.unwrap_or_default();
            [counted.seats[0].remaining_ms, counted.seats[1].remaining_ms]
        };
        assert_eq!(left(at(100, 0)), [30_000, 30_000]);
        assert_eq!(left(at(117, 500)), [12_500, 30_000]);
        assert_eq!(left(at(131, 0)), [0, 30_000]);
        // A time before the view's does not add time.
        assert_eq!(left(at(90, 0)), [30_000, 30_000]);
    }
}
