//! What has become due without anybody's call: seats whose time is over, matches that nobody came to. Every replica
//! looks; the journal lets one of them write the end.

use std::collections::HashMap;
use std::time::Duration;

use journal::{Deadline, PageSize, RecordedTime};
use replay::{Draft, Phase};
use tokio::time::{Instant, MissedTickBehavior, interval};
use wire::v1::ErrorReason;

use crate::limits::SWEPT_AT_ONCE;
use crate::live::{Head, catch_up};
use crate::turn::{Change, Verdict};
use crate::{Play, Refusal, judge};

/// A match whose end could not be written is left alone so long, so that it does not hold up the others.
const LEFT_ALONE: Duration = Duration::from_secs(60);

impl Play {
    /// Ends what is overdue, now and again, as long as the service runs.
    pub(crate) async fn sweep_on(self) {
        let mut ending = self.ending.subscribe();
        let mut tick = interval(self.limits.sweep.max(Duration::from_millis(1)));
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut left_alone = HashMap::new();
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                _ = ending.wait_for(|ending| *ending) => return,
            }
            left_alone.retain(|_, since: &mut Instant| since.elapsed() < LEFT_ALONE);
            for due in self.overdue().await {
                if left_alone.contains_key(&due.match_id) {
                    continue;
                }
                if let Err(refusal) = self.end_overdue(&due).await {
                    tracing::warn!(match.id = %due.match_id.0, %refusal, "an overdue match could not be ended");
                    // What is only too busy is tried again at the next look: a seat's time is over.
                    if refusal.reason == ErrorReason::Internal {
                        left_alone.insert(due.match_id, Instant::now());
                    }
                }
            }
        }
    }

    /// What was due before the grace that everybody has.
    async fn overdue(&self) -> Vec<Deadline> {
        let grace = i64::try_from(self.limits.grace.as_micros()).unwrap_or(i64::MAX);
        let until = RecordedTime(self.now().saturating_sub(grace).saturating_sub(1));
        match self.journal.due(until, PageSize(SWEPT_AT_ONCE)).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "what is due can't be read; it is looked for again soon");
                Vec::new()
            }
        }
    }

    async fn end_overdue(&self, due: &Deadline) -> Result<(), Refusal> {
        let (play, due) = (self.clone(), *due);
        let match_id = due.match_id.0;
        let ended = self.detached(match_id, async move {
            play.take_turn(match_id, |head| judge_overdue(head, &due, play.now())).await
        });
        match ended.await {
            // Ended by this, or by somebody else first: either way nothing is due any more.
            Err(refusal) if refusal.reason == ErrorReason::StalePosition => Ok(()),
            other => other.map(drop),
        }
    }
}

fn judge_overdue(head: &Head, due: &Deadline, now: i64) -> Result<Verdict, Refusal> {
    if let Phase::Open = head.position.phase()
        && due.due.0 < now
    {
        let mut draft = Draft::after(&head.position, RecordedTime(now));
        draft.expire().map_err(catch_up::broken_log)?;
        return Ok(Verdict::Change(Box::new(Change::of(draft, head, None))));
    }
    match judge::end_on_time(head, now)? {
        Some(end) => Ok(end),
        None => Err(Refusal::new(ErrorReason::StalePosition, "nothing is due at this position")),
    }
}
