//! A well-behaved player: plays one match after another, and fails at the first refusal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::task::JoinHandle;

use crate::stage::{Client, channel_from};

/// The player's address.
const PLAYER: &str = "127.0.0.3";

/// A player at work.
pub(super) struct Player {
    moves: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    playing: JoinHandle<()>,
}

impl Player {
    /// Starts to play on one connection.
    pub(super) async fn at(address: &str) -> Self {
        let client = Client::over(channel_from(PLAYER, address).await);
        let moves = Arc::new(AtomicUsize::new(0));
        let stop = Arc::new(AtomicBool::new(false));
        let playing = tokio::spawn(play(client, Arc::clone(&moves), Arc::clone(&stop)));
        let player = Self { moves, stop, playing };
        player.makes_moves().await;
        player
    }

    /// Waits until the player has made a few more moves. Each is answered within the call timeout, or the
    /// player fails.
    pub(super) async fn makes_moves(&self) {
        let goal = self.moves.load(Ordering::Relaxed) + 6;
        while self.moves.load(Ordering::Relaxed) < goal {
            assert!(!self.playing.is_finished(), "the player was refused");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// Ends the play; panics if a call of it was refused.
    pub(super) async fn finish(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.playing.await.unwrap();
    }
}

async fn play(client: Client, moves: Arc<AtomicUsize>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let table = client.table(4, 4, 2).await;
        for square in ["1,1", "2,2"] {
            client.turn(&table, square, square).await;
            moves.fetch_add(2, Ordering::Relaxed);
        }
    }
}
