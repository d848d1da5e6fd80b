//! Tells the workers of webhooks when the feed has new events, so that they need not each ask the database.

use std::sync::atomic::Ordering;
use std::time::Duration;

use journal::FeedCursor;
use tokio::time::sleep;

use crate::Play;

/// Pause while there are no webhooks, and after an error.
const PAUSE: Duration = Duration::from_secs(1);

/// Watches the feed until the service shuts down.
pub(crate) async fn run(play: Play) {
    let mut shutdown = play.shutdown.signal();
    let mut frontier = None;
    loop {
        tokio::select! {
            biased;
            () = shutdown.begun() => return,
            () = wait(&play, &mut frontier) => {}
        }
        play.webhooks.feed_moved.send_replace(());
    }
}

/// Waits until the feed has new events, and moves to its frontier. The workers are told after that, so an
/// event that they miss lies after the frontier and ends the next wait.
async fn wait(play: &Play, frontier: &mut Option<FeedCursor>) {
    if play.webhooks.leased.load(Ordering::Relaxed) == 0 {
        return sleep(PAUSE).await;
    }
    let moved = async {
        play.journal.wait_for_feed(*frontier).await?;
        play.journal.feed_frontier().await
    };
    match moved.await {
        Ok(moved) => *frontier = Some(moved),
        Err(error) => {
            tracing::warn!(%error, "watching the feed for webhooks failed; trying again");
            sleep(PAUSE).await;
        }
    }
}
