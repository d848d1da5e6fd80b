//! How far the feed is final, and waiting until it is further.

use std::time::Duration;

use super::{FeedCursor, FeedRange};
use crate::context::Context;
use crate::ids::ReplicaId;
use crate::{Clock, ReadError, Scope};

/// The lanes in one snapshot of the database.
#[derive(Clone, Debug, Default)]
pub(crate) struct LanesSeen {
    /// Of each open lane whose it is, and the clock of its last commit.
    pub(crate) open: Vec<(ReplicaId, Clock)>,
    /// The largest clock of all commits.
    pub(crate) newest_commit: Clock,
    /// The largest clock of all events.
    pub(crate) newest_event: Clock,
}

impl LanesSeen {
    /// At and below this clock nothing more will appear.
    pub(crate) fn frontier(&self) -> Clock {
        self.open.iter().map(|&(_, clock)| clock).min().unwrap_or(self.newest_commit)
    }
}

/// While others hold the frontier back, it is looked for so often.
const LOOK: Duration = Duration::from_millis(50);

/// Returns when something final lies after the cursor.
pub(crate) async fn news(context: &Context, after: Option<FeedCursor>) -> Result<(), ReadError> {
    let after = after.unwrap_or(FeedCursor::BEGINNING);
    let mut heard = context.feed.heard();
    loop {
        heard.mark_unchanged();
        let turn = context.feed.turn_to_read().await;
        let lanes = context.store.lanes().await?;
        let range = FeedRange { after, until: lanes.frontier(), scope: &Scope::Everything, limit: 1 };
        if !context.store.feed(&range).await?.is_empty() {
            return Ok(());
        }
        drop(turn);
        if lanes.newest_event > range.until {
            context.feed.ask(&lanes, context.replica, context.timing.feed_ask);
            tokio::time::sleep(LOOK).await;
            continue;
        }
        tokio::select! {
            _ = heard.changed() => {}
            () = tokio::time::sleep(context.timing.tail_idly) => {}
        }
        // What comes together is read together.
        tokio::time::sleep(context.timing.tail_closely).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_open_lane_is_the_frontier_and_without_one_all_is_final() {
        let lane = |clock| (ReplicaId::mint(), Clock(clock));
        let seen = |open| LanesSeen { open, newest_commit: Clock(9), newest_event: Clock(8) };
        assert_eq!(seen(vec![lane(7), lane(3), lane(9)]).frontier(), Clock(3));
        assert_eq!(seen(Vec::new()).frontier(), Clock(9));
    }
}
