//! Background tasks: they catch up with other replicas, drop the cache when the journal asks for it, end
//! matches whose deadline has passed, and deliver to webhooks.

mod cache_invalidation;
mod deadline_sweeper;
mod erasure_follower;
mod replica_follower;

use std::time::Duration;

use event::{MatchId, Seq};

use crate::{Play, webhooks};

/// Pause before a task that panicked is restarted.
const RESTART_PAUSE: Duration = Duration::from_secs(1);

/// Starts all background tasks. They stop when the service shuts down.
pub(crate) fn start(play: &Play) {
    supervise(play, "replica follower", replica_follower::run);
    supervise(play, "erasure follower", erasure_follower::run);
    supervise(play, "cache invalidation", cache_invalidation::run);
    supervise(play, "deadline sweeper", deadline_sweeper::run);
    if play.webhooks.are_on() {
        supervise(play, "webhook dispatcher", webhooks::dispatch);
        supervise(play, "webhook feed watcher", webhooks::watch_feed);
    }
}

/// Runs a task until it returns, and restarts it if it panics.
fn supervise<F>(play: &Play, name: &'static str, task: fn(Play) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let play = play.clone();
    tokio::spawn(async move {
        while let Err(error) = tokio::spawn(task(play.clone())).await {
            tracing::error!(
                task = name,
                panicked = error.is_panic(),
                "a background task failed and is restarted"
            );
            if error.is_cancelled() {
                return;
            }
            tokio::time::sleep(RESTART_PAUSE).await;
        }
    });
}

/// Catches up a live match in the background, unless it has already reached `head`.
fn catch_up_later(play: &Play, match_id: MatchId, head: Option<Seq>) {
    let Some(live) = play.matches.find(match_id) else { return };
    let known = live.head().map(|head| head.seq());
    if known.is_none() || (head.is_some() && head <= known) {
        return;
    }
    let play = play.clone();
    tokio::spawn(async move {
        let _lock = live.match_lock.lock().await;
        // A failure is logged where it happens, and the next call reads again.
        let _ = play.matches.catch_up(&live).await;
    });
}
