//! Long pages, as many at once as one address may have: of matches, of long events as JSON, and whole logs.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::forks::long_match;
use super::player::Player;
use super::{ATTACKER, assert_memory, scale, serve};
use crate::stage::{Backend, Client, Http, Storage, channel_from};

/// Turns of the long match, and how many matches there are.
const TURNS: usize = 300;
const MATCHES: usize = 200;

/// Connections of the attacker, and how often each asks for each page.
const CONNECTIONS: usize = 32;
const ROUNDS: usize = 2;

#[tokio::test(flavor = "multi_thread")]
async fn long_pages_hold_up_nobody() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = serve(&storage, &[]);
    let attacker = Client::over(channel_from(ATTACKER, &process.address).await);
    for _ in 0..MATCHES {
        attacker.table(4, 4, 2).await;
    }
    let match_id = long_match(&attacker, TURNS).await;
    let targets = Arc::new([
        format!("/v1/matches?pageSize={MATCHES}"),
        format!("/v1/matches/{match_id}/events?pageSize=500"),
        format!("/v1/matches/{match_id}/log"),
    ]);
    let player = Player::at(&process.address).await;
    let mut attackers = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let (http, targets) = (Http::of(&process.address), Arc::clone(&targets));
        attackers.spawn(async move {
            let mut answered = 0;
            for _ in 0..ROUNDS * scale() {
                for target in &*targets {
                    let answer = http.get(target, &[]).await;
                    assert!([200, 429].contains(&answer.status.as_u16()), "{}", answer.status);
                    answered += usize::from(answer.status == 200);
                }
            }
            answered
        });
    }
    let mut answered = 0;
    while !attackers.is_empty() {
        while let Some(ended) = attackers.try_join_next() {
            answered += ended.unwrap();
        }
        player.makes_moves().await;
    }
    assert!(answered >= CONNECTIONS, "the attacker gets long pages: {answered}");
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
