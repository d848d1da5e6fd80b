//! When an event is sent again, and when it is given up.

use std::time::Duration;

use event::RecordTime;
use journal::{DeliveryRow, DeliveryStatus};
use rand::RngExt as _;

use super::WebhookLimits;

/// Longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(6 * 60 * 60);

/// Returns the row of a delivery after a failed attempt at `now`. The last attempt is made when the time is
/// up; an event that had to wait for others longer than that still gets one.
pub(super) fn after_failure(
    row: &DeliveryRow,
    failure: String,
    now: RecordTime,
    limits: &WebhookLimits,
) -> DeliveryRow {
    let attempts = row.attempts.saturating_add(1);
    let last = RecordTime(row.create_time.0.saturating_add(micros(limits.give_up_after)));
    let (status, next_time) = if now >= last {
        (DeliveryStatus::Dead, now)
    } else {
        let pause = jittered(pause(limits.first_retry, attempts), rand::rng().random_range(800..=1200));
        (DeliveryStatus::Pending, RecordTime(now.0.saturating_add(micros(pause))).min(last))
    };
    DeliveryRow { status, attempts, next_time, failure, ..row.clone() }
}

/// Returns the pause after so many attempts: doubled with each, up to a limit.
fn pause(first: Duration, attempts: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(30);
    first.saturating_mul(1 << doublings).min(LONGEST_PAUSE)
}

/// Varies a pause, so that attempts that failed together are not repeated together.
fn jittered(pause: Duration, per_mille: u32) -> Duration {
    pause.saturating_mul(per_mille) / 1000
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use journal::FeedCursor;

    use super::*;

    fn row(attempts: u32, created: i64) -> DeliveryRow {
        DeliveryRow {
            position: FeedCursor::from_bytes(&[1; FeedCursor::BYTES]).unwrap(),
            kind: 6,
            status: DeliveryStatus::Pending,
            attempts,
            create_time: RecordTime(created),
            next_time: RecordTime(created),
            failure: String::new(),
        }
    }

    #[test]
    fn pauses_double_up_to_six_hours() {
        let first = Duration::from_secs(5);
        let pauses = [1, 2, 3, 12, 13, 14, u32::MAX].map(|attempts| pause(first, attempts).as_secs());
        assert_eq!(pauses, [5, 10, 20, 10_240, 20_480, 21_600, 21_600]);
        assert_eq!(jittered(Duration::from_secs(10), 800), Duration::from_secs(8));
    }

    #[test]
    fn an_event_is_given_up_at_the_last_attempt_which_is_made_when_the_time_is_up() {
        let limits = WebhookLimits::default();
        let (mut now, mut delivery) = (RecordTime(0), row(0, 0));
        while delivery.status == DeliveryStatus::Pending {
            now = delivery.next_time;
            delivery = after_failure(&delivery, "status 500".to_owned(), now, &limits);
        }
        assert_eq!(now, RecordTime(micros(limits.give_up_after)));
        assert!((20..=30).contains(&delivery.attempts), "{}", delivery.attempts);
        assert_eq!(delivery.failure, "status 500");
    }

    #[test]
    fn an_event_that_waited_too_long_for_others_gets_one_attempt() {
        let limits = WebhookLimits::default();
        let late = RecordTime(2 * micros(limits.give_up_after));
        let dead = after_failure(&row(0, 0), String::new(), late, &limits);
        assert_eq!((dead.status, dead.attempts), (DeliveryStatus::Dead, 1));
    }
}
