//! Invalidates all live matches when the journal has reconnected to a database that may hold another history.

use super::catch_up_later;
use crate::Play;

pub(super) async fn run(play: Play) {
    let mut invalidations = play.journal.invalidations();
    let mut shutdown = play.shutdown.signal();
    loop {
        tokio::select! {
            invalidation = invalidations.changed() => if invalidation.is_err() { return },
            () = shutdown.begun() => return,
        }
        tracing::warn!("the journal reconnected; all live matches are read again");
        play.matches.invalidate_all();
        for live in play.matches.all() {
            catch_up_later(&play, live.match_id, None);
        }
    }
}
