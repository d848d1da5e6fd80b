//! Catches up live matches when another replica has appended to them.

use tokio::sync::broadcast::error::RecvError;

use super::catch_up_later;
use crate::Play;

pub(super) async fn run(play: Play) {
    let mut commits = play.journal.new_events();
    let mut shutdown = play.shutdown.signal();
    loop {
        let commit = tokio::select! {
            commit = commits.recv() => commit,
            () = shutdown.begun() => return,
        };
        match commit {
            Ok(commit) => catch_up_later(&play, commit.match_id, Some(commit.head)),
            // Some commits were missed, so any live match may be behind.
            Err(RecvError::Lagged(_)) => {
                for live in play.matches.all() {
                    catch_up_later(&play, live.match_id, None);
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}
