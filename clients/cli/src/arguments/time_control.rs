//! `--time 30s`, `--time 5m+3s`: the time control of a match.

use std::str::FromStr;

use humantime::parse_duration;
use wire::v1::time_control::Kind;
use wire::v1::{Bank, PerMove, TimeControl};

/// The part of `--help` about time controls.
pub(crate) const TIME_CONTROL_SYNTAX: &str = "\
Clocks (--time):
  30s      30 seconds per move
  5m+3s    5 minutes for the match and an increment of 3 seconds per move
  1h30m+0  90 minutes for the match without an increment
  Units: ms, s, m, h, d. A seat that runs out of time loses. Range: 100ms to
  30d; an increment is at most 1d.";

/// A time control as given on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeControlArgument {
    kind: Kind,
}

impl From<TimeControlArgument> for TimeControl {
    fn from(time: TimeControlArgument) -> Self {
        Self { kind: Some(time.kind) }
    }
}

impl FromStr for TimeControlArgument {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let kind = match typed.split_once('+') {
            None => Kind::PerMove(PerMove { move_time: Some(duration(typed)?) }),
            Some((bank, increment)) => {
                Kind::Bank(Bank { budget: Some(duration(bank)?), increment: Some(duration(increment)?) })
            }
        };
        Ok(Self { kind })
    }
}

fn duration(typed: &str) -> Result<prost_types::Duration, String> {
    let time = parse_duration(typed.trim()).map_err(|error| {
        format!("`{typed}` is not a duration, {error}; write it with units (ms, s, m, h, d): 30s, 5m, 1h30m")
    })?;
    prost_types::Duration::try_from(time).map_err(|_| format!("`{typed}` is too long; the maximum is 30d"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn read(typed: &str) -> Result<Kind, String> {
        typed.parse().map(|time: TimeControlArgument| time.kind)
    }

    #[test]
    fn a_time_per_move_or_a_bank_with_increment() {
        let time = |ms| Some(prost_types::Duration::try_from(Duration::from_millis(ms)).unwrap());
        let each = |ms| Ok(Kind::PerMove(PerMove { move_time: time(ms) }));
        let bank = |ms, more| Ok(Kind::Bank(Bank { budget: time(ms), increment: time(more) }));
        assert_eq!(read("30s"), each(30_000));
        assert_eq!(read("1m30s"), each(90_000));
        assert_eq!(read("1.5m"), each(90_000));
        assert_eq!(read("250ms"), each(250));
        assert_eq!(read("2d"), each(172_800_000));
        assert_eq!(read("5m+3s"), bank(300_000, 3_000));
        assert_eq!(read("5min + 3s"), bank(300_000, 3_000));
        assert_eq!(read("1h30m+0"), bank(5_400_000, 0));
    }

    #[test]
    fn anything_else_is_rejected_with_the_text() {
        for typed in ["", "+", "30", "s", "5m+", "+3s", "5m+3", "-3s", "5x", "5m+3s+1s", "٣s"] {
            assert!(read(typed).unwrap_err().contains("not a duration"), "{typed}");
        }
        for typed in ["9999999999999years", "99999999999999999999d", "18446744073709551615d"] {
            let error = read(typed).unwrap_err();
            assert!(error.contains("too long") || error.contains("not a duration"), "{typed}: {error}");
        }
    }
}
