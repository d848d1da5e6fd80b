//! Reads live matches again in which another replica has erased a player.

use tokio::sync::broadcast::error::RecvError;

use super::catch_up_later;
use crate::Play;

pub(super) async fn run(play: Play) {
    let mut erasures = play.journal.erasures();
    let mut shutdown = play.shutdown.signal();
    loop {
        let erased = tokio::select! {
            erased = erasures.recv() => erased,
            () = shutdown.begun() => return,
        };
        let matches = match erased {
            Ok(match_id) => play.matches.find(match_id).into_iter().collect(),
            // Some erasures were missed, so any live match may name an erased player.
            Err(RecvError::Lagged(_)) => play.matches.all(),
            Err(RecvError::Closed) => return,
        };
        for live in matches {
            // From here on no call is answered from the cached players.
            live.invalidate();
            catch_up_later(&play, live.match_id, None);
        }
    }
}
