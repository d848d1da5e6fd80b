//! Ends matches whose deadline has passed: a seat's time ran out, or the seats were not claimed in time.
//! Every replica sweeps; the journal lets one of them append the end.

use std::collections::HashMap;
use std::time::Duration;

use event::RecordTime;
use journal::{Deadline, PageSize};
use replay::MatchPhase;
use tokio::time::{Instant, MissedTickBehavior, interval};
use wire::v1::ErrorReason;

use crate::changes::{Judgment, MatchChange, decide, end_if_overdue};
use crate::live::LiveHead;
use crate::refusal::of_replay_error;
use crate::{Play, Refusal};

/// How long a match is skipped after its end could not be appended, so that it does not hold up others.
const SKIP_TIME: Duration = Duration::from_secs(60);

/// Maximum matches ended per sweep.
const MAX_PER_SWEEP: PageSize = PageSize(200);

pub(super) async fn run(play: Play) {
    let mut shutdown = play.shutdown.signal();
    let mut tick = interval(play.durations.sweep.max(Duration::from_millis(1)));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut skipped = HashMap::new();
    loop {
        tokio::select! {
            // No sweep begins after the shutdown, even one that is due: another service may use the journal.
            biased;
            () = shutdown.begun() => return,
            _ = tick.tick() => {}
        }
        skipped.retain(|_, since: &mut Instant| since.elapsed() < SKIP_TIME);
        for deadline in passed(&play).await {
            if skipped.contains_key(&deadline.match_id) {
                continue;
            }
            if let Err(refusal) = end_match(&play, &deadline).await {
                let match_id = deadline.match_id;
                tracing::warn!(match.id = %match_id, %refusal, "an overdue match could not be ended");
                // After a mere overload the next sweep tries again, since a seat's time has run out.
                if matches!(refusal.reason, ErrorReason::Internal | ErrorReason::UnknownRulesVersion) {
                    skipped.insert(match_id, Instant::now());
                }
            }
        }
    }
}

/// Returns deadlines that passed longer ago than the grace period.
async fn passed(play: &Play) -> Vec<Deadline> {
    let until = RecordTime(play.now().0.saturating_sub(play.durations.grace_micros()).saturating_sub(1));
    match play.journal.due(until, MAX_PER_SWEEP).await {
        Ok(deadlines) => deadlines,
        Err(error) => {
            tracing::warn!(%error, "reading deadlines failed; the next sweep tries again");
            Vec::new()
        }
    }
}

async fn end_match(play: &Play, deadline: &Deadline) -> Result<(), Refusal> {
    let (match_id, deadline) = (deadline.match_id, *deadline);
    let sweeping = play.clone();
    let ended = play.detached(None, match_id, async move {
        let (live, _) = sweeping.matches.cached(match_id, None).await?;
        sweeping.matches.change(live, None, |head| judge(head, &deadline, sweeping.now())).await
    });
    match ended.await {
        // Another call or replica ended the match first, so nothing is due any more.
        Err(refusal) if refusal.reason == ErrorReason::StalePosition => Ok(()),
        other => other.map(drop),
    }
}

fn judge(head: &LiveHead, deadline: &Deadline, now: RecordTime) -> Judgment {
    if let MatchPhase::Open = head.position.phase()
        && deadline.due < now
    {
        let mut decision = decide(head, now);
        decision.expire().map_err(of_replay_error)?;
        return Ok(Box::new(MatchChange::new(decision, head, None)));
    }
    match end_if_overdue(head, now)? {
        Some(end) => Err(crate::changes::Halt::Overdue(end)),
        None => {
            Err(Refusal::new(ErrorReason::StalePosition, "no deadline has passed at this position").into())
        }
    }
}
