//! Durations as settings, such as `250ms`, `5s` or `2m`.

use std::time::Duration;

/// Returns a parser of durations from `shortest` to `longest`.
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
        Ok(_) => Err(format!("must be from {shortest} to {longest}")),
        Err(error) => Err(error.to_string()),
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
        for outside in ["0", "0s", "999us", "61m", "999999years"] {
            assert_eq!(parse(outside), Err("must be from 1ms to 1h".to_owned()), "{outside}");
        }
        for (typed, hint) in
            [("5000", "5000sec or 5000ms"), ("5x", "unknown time unit"), ("", "empty"), ("-5s", "number")]
        {
            let error = parse(typed).unwrap_err();
            assert!(error.contains(hint), "{typed}: {error}");
        }
    }
}
