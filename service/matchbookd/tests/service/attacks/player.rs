//! A well-behaved player: plays one match after another, and fails at the first refusal. It tells how long
//! its moves took without the attack and beside it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::scale;
use crate::stage::{Client, channel_from};

/// The player's address.
const PLAYER: &str = "127.0.0.3";

/// Moves before the attack begins.
const QUIET_MOVES: usize = 6;

/// A player at work.
pub(super) struct Player {
    game: Arc<Game>,
    /// How many moves were made before the attack.
    quiet: usize,
    playing: JoinHandle<()>,
}

/// What the player and its test share.
#[derive(Default)]
struct Game {
    moves: AtomicUsize,
    stop: AtomicBool,
    times: Mutex<Vec<Duration>>,
}

impl Player {
    /// Starts to play on one connection, and returns after the first moves.
    pub(super) async fn at(address: &str) -> Self {
        let client = Client::over(channel_from(PLAYER, address).await);
        let game = Arc::<Game>::default();
        let playing = tokio::spawn(play(client, Arc::clone(&game)));
        let mut player = Self { game, quiet: 0, playing };
        player.makes(QUIET_MOVES * scale()).await;
        player.quiet = player.game.times.lock().unwrap().len();
        player
    }

    /// Waits until the player has made a few more moves. Each is answered within the call timeout, or the
    /// player fails.
    pub(super) async fn makes_moves(&self) {
        self.makes(6).await;
    }

    async fn makes(&self, moves: usize) {
        let goal = self.game.moves.load(Ordering::Relaxed) + moves;
        while self.game.moves.load(Ordering::Relaxed) < goal {
            assert!(!self.playing.is_finished(), "the player was refused");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Ends the play; panics if a call of it was refused.
    pub(super) async fn finish(self) {
        self.game.stop.store(true, Ordering::Relaxed);
        self.playing.await.unwrap();
        let mut times = self.game.times.lock().unwrap();
        let (quiet, attacked) = times.split_at_mut(self.quiet);
        println!("moves before the attack: {}", summary(quiet));
        println!("moves beside the attack: {}", summary(attacked));
    }
}

/// Returns how many moves there were, and how long they took.
fn summary(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    format!("{}, median {:.1?}, p99 {:.1?}", times.len(), at(50), at(99))
}

async fn play(client: Client, game: Arc<Game>) {
    while !game.stop.load(Ordering::Relaxed) {
        let table = client.table(4, 4, 2).await;
        for square in ["1,1", "2,2"] {
            for seat in [0, 1] {
                let start = Instant::now();
                client.submit(&table, seat, square).await.unwrap();
                game.times.lock().unwrap().push(start.elapsed());
            }
            game.moves.fetch_add(2, Ordering::Relaxed);
        }
    }
}
