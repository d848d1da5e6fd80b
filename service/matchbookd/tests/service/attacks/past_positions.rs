//! Anonymous looks at the past of a long match, each of which folds a part of its log.

use std::time::Instant;

use tokio::task::JoinSet;

use super::forks::long_match;
use super::player::Player;
use super::{ATTACKER, assert_memory, scale, serve};
use crate::stage::{Backend, Client, Http, Storage, channel_from};

/// Turns of the match.
const TURNS: usize = 380;

/// Callers at the same time, and what each asks for again and again.
const CALLERS: usize = 6;
const ROUNDS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn looks_at_the_past_hold_up_nobody() {
    let storage = Storage::here(Backend::Sqlite).await;
    let first = serve(&storage, &[]);
    let attacker = Client::over(channel_from(ATTACKER, &first.address).await);
    let match_id = long_match(&attacker, TURNS).await;
    assert_eq!(first.terminate().0, Some(0));

    // The match is not in memory yet.
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (http, match_id) = (Http::of(&process.address), match_id.clone());
        callers.spawn(async move {
            for round in 0..ROUNDS * scale() {
                let seq = TURNS - 7 * (round % ROUNDS);
                for target in [
                    format!("view?atSeq={seq}"),
                    format!("board.svg?atSeq={seq}"),
                    format!("events?afterSeq={seq}&pageSize=1"),
                ] {
                    let answer = http.get(&format!("/v1/matches/{match_id}/{target}"), &[]).await;
                    assert!([200, 429].contains(&answer.status.as_u16()), "{}", answer.status);
                }
            }
        });
    }
    let http = Http::of(&process.address);
    let mut times = Vec::new();
    while callers.try_join_next().transpose().unwrap().is_some() || !callers.is_empty() {
        let start = Instant::now();
        assert_eq!(http.get("/livez", &[]).await.text(), "alive\n");
        times.push(start.elapsed());
        player.makes_moves().await;
    }
    times.sort_unstable();
    println!("/livez meanwhile: median {:?}, longest {:?}", times[times.len() / 2], times[times.len() - 1]);
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
