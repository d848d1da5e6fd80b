//! A time on the command line: a day, an instant, or a duration before now.

use std::time::SystemTime;

use humantime::parse_duration;
use prost_types::Timestamp;

/// Parses `2026-01-31`, `2026-01-31T12:00:00Z`, or `7d` for seven days ago.
pub(crate) fn timestamp(typed: &str) -> Result<Timestamp, String> {
    if let Ok(ago) = parse_duration(typed) {
        let then = SystemTime::now().checked_sub(ago);
        return then.map(Timestamp::from).ok_or_else(|| format!("`{typed}` is too long ago"));
    }
    typed.parse().map_err(|_| {
        format!(
            "`{typed}` is not a time; write 2026-01-31, 2026-01-31T12:00:00Z, or a duration before now: \
             30m, 2h, 7d"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_an_instant_or_a_duration_before_now() {
        let noon = Timestamp { seconds: 1_769_860_800, nanos: 0 };
        assert_eq!(timestamp("2026-01-31T12:00:00Z"), Ok(noon));
        assert_eq!(timestamp("2026-01-31"), Ok(Timestamp { seconds: noon.seconds - 43_200, nanos: 0 }));
        let (day, hour) = (timestamp("90d").unwrap(), timestamp("1h").unwrap());
        assert!((hour.seconds - day.seconds - (90 * 24 - 1) * 3600).abs() < 60);
        for typed in ["", "yesterday", "2026-13-01", "12:00"] {
            assert!(timestamp(typed).unwrap_err().contains("is not a time"), "{typed}");
        }
    }
}
