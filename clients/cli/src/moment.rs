//! A moment as it is typed: a day, a time, or how long ago.

use std::time::{Duration, SystemTime};

use prost_types::Timestamp;

use crate::time_control::span;

/// `2026-01-31`, `2026-01-31T12:00:00Z`, or `7d` for seven days ago.
pub(crate) fn moment(typed: &str) -> Result<Timestamp, String> {
    if let Ok(ago_ms) = span(typed) {
        let then = SystemTime::now().checked_sub(Duration::from_millis(u64::from(ago_ms)));
        return then.map(Timestamp::from).ok_or_else(|| format!("`{typed}` is too long ago"));
    }
    typed.parse().map_err(|_| {
        format!("`{typed}` is no time; write 2026-01-31, 2026-01-31T12:00:00Z, or how long ago: 30m, 2h, 7d")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_a_time_or_how_long_ago() {
        let noon = Timestamp { seconds: 1_769_860_800, nanos: 0 };
        assert_eq!(moment("2026-01-31T12:00:00Z"), Ok(noon));
        assert_eq!(moment("2026-01-31"), Ok(Timestamp { seconds: noon.seconds - 43_200, nanos: 0 }));
        let (day, hour) = (moment("1d").unwrap(), moment("1h").unwrap());
        assert!((hour.seconds - day.seconds - 82_800).abs() < 60);
        for typed in ["", "yesterday", "2026-13-01", "12:00"] {
            assert!(moment(typed).unwrap_err().contains("is no time"), "{typed}");
        }
    }
}
