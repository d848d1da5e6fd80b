//! `--time 30s`, `--time 5m+3s`: how long a seat may think, as it is typed.

use std::str::FromStr;

use wire::v1::time_control::Kind;
use wire::v1::{Bank, PerMove, TimeControl};

/// What `--help` says of it.
pub(crate) const GRAMMAR: &str = "\
Clocks (--time):
  30s      each move has 30 seconds; what is left of them is lost
  5m+3s    5 minutes for all moves, and 3 seconds more with each
  1h30m+0  an hour and a half for all moves, nothing more
  Units: ms, s, m, h, d. Who runs out of time loses. 100ms to 30d; an increment
  is at most 1d.";

/// A time control as it was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time {
    kind: Kind,
}

impl From<Time> for TimeControl {
    fn from(time: Time) -> Self {
        Self { kind: Some(time.kind) }
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let kind = match typed.split_once('+') {
            None => Kind::PerMove(PerMove { move_ms: span(typed)? }),
            Some((bank, increment)) => {
                Kind::Bank(Bank { bank_ms: span(bank)?, increment_ms: span(increment)? })
            }
        };
        Ok(Self { kind })
    }
}

/// Numbers with units, such as `1h30m`, in milliseconds. Only a zero needs no unit.
pub(crate) fn span(typed: &str) -> Result<u32, String> {
    let typed = typed.trim();
    if typed == "0" {
        return Ok(0);
    }
    let mut rest = typed;
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let (unit, after) = after.split_at(after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len()));
        let number: u64 = number.parse().map_err(|_| unreadable(typed))?;
        let span = number.checked_mul(unit_ms(unit).ok_or_else(|| unreadable(typed))?);
        total = span.and_then(|span| total.checked_add(span)).ok_or_else(|| too_long(typed))?;
        rest = after;
    }
    if typed.is_empty() { Err(unreadable(typed)) } else { u32::try_from(total).map_err(|_| too_long(typed)) }
}

fn unit_ms(unit: &str) -> Option<u64> {
    Some(match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    })
}

fn unreadable(typed: &str) -> String {
    format!("`{typed}` is no span of time; write whole numbers with a unit (ms, s, m, h, d): 30s, 5m, 1h30m")
}

fn too_long(typed: &str) -> String {
    format!("`{typed}` is too long; 30d is the longest")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Result<Kind, String> {
        typed.parse().map(|time: Time| time.kind)
    }

    #[test]
    fn a_move_s_time_or_a_bank() {
        let each = |move_ms| Ok(Kind::PerMove(PerMove { move_ms }));
        let bank = |bank_ms, increment_ms| Ok(Kind::Bank(Bank { bank_ms, increment_ms }));
        assert_eq!(read("30s"), each(30_000));
        assert_eq!(read("1m30s"), each(90_000));
        assert_eq!(read("250ms"), each(250));
        assert_eq!(read("2d"), each(172_800_000));
        assert_eq!(read("5m+3s"), bank(300_000, 3_000));
        assert_eq!(read("5min + 3s"), bank(300_000, 3_000));
        assert_eq!(read("1h30m+0"), bank(5_400_000, 0));
    }

    #[test]
    fn anything_else_is_told_with_what_was_typed() {
        for typed in ["", "+", "30", "s", "5m+", "+3s", "5m+3", "1.5m", "-3s", "5x", "5m+3s+1s", "3 s", "٣s"]
        {
            assert!(read(typed).unwrap_err().contains("no span of time"), "{typed}");
        }
        for typed in ["50d", "99999999999999999999d", "18446744073709551615d"] {
            let error = read(typed).unwrap_err();
            assert!(error.contains("too long") || error.contains("no span"), "{typed}: {error}");
        }
    }
}
