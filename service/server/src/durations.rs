//! Durations as settings, such as `250ms`, `5s` or `2m`.

use std::time::Duration;

/// Returns a parser of durations from `shortest` to `longest`. Where zero is too short it is refused as such:
/// it does not mean without a limit.
///
/// # Panics
///
/// If one of the bounds is not a duration.
pub fn duration_between(
    shortest: &'static str,
    longest: &'static str,
) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    let bound = |text| humantime::parse_duration(text).expect("the bound is a duration");
    let range = bound(shortest)..=bound(longest);
    move |typed| match humantime::parse_duration(typed) {
        Ok(duration) if range.contains(&duration) => Ok(duration),
        Ok(Duration::ZERO) => {
            Err(format!("must be from {shortest} to {longest}; zero does not mean without a limit"))
        }
        Ok(_) => Err(format!("must be from {shortest} to {longest}")),
        Err(_) => Err(format!("must be a duration {}, from {shortest} to {longest}", example(typed))),
    }
}

/// Returns how to write a duration, with the number that was typed without a unit.
fn example(typed: &str) -> String {
    match typed.parse::<u64>() {
        Ok(number) => format!("with its unit, such as {number}ms or {number}s"),
        Err(_) => "such as 250ms, 5s or 1m30s".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_and_bounds() {
        let parse = duration_between("1ms", "1h");
        assert_eq!(parse("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse("1m30s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("1h"), Ok(Duration::from_secs(3600)));
        for outside in ["999us", "61m", "999999years"] {
            assert_eq!(parse(outside), Err("must be from 1ms to 1h".to_owned()), "{outside}");
        }
        for zero in ["0", "0s", "0m"] {
            let refused = "must be from 1ms to 1h; zero does not mean without a limit";
            assert_eq!(parse(zero), Err(refused.to_owned()), "{zero}");
            assert_eq!(duration_between("0s", "1h")(zero), Ok(Duration::ZERO), "{zero}");
        }
        let with_unit = "must be a duration with its unit, such as 5000ms or 5000s, from 1ms to 1h";
        assert_eq!(parse("5000"), Err(with_unit.to_owned()));
        for typed in ["5x", "", "-5s", "s", "1h 1", "5 000"] {
            let refused = "must be a duration such as 250ms, 5s or 1m30s, from 1ms to 1h";
            assert_eq!(parse(typed), Err(refused.to_owned()), "{typed}");
        }
    }
}
