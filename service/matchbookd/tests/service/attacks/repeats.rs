//! A client that repeats one call hard, and leaves most of its calls before they are answered.

use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};
use uuid::Uuid;
use wire::v1::{SubmitMoveRequest, submit_move_request};

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Client, Storage, channel_from, sent};

/// Turns of the attacker's match after the call that it repeats, which is still remembered after them.
const TURNS: u32 = 30;

#[tokio::test(flavor = "multi_thread")]
async fn repeats_of_one_call_hold_up_nobody() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--max-calls", "64"]);
    let player = Player::at(&process.address).await;
    let attacker = Client::over(channel_from(ATTACKER, &process.address).await);
    let table = attacker.table(8, 8, TURNS + 2).await;
    let repeated = SubmitMoveRequest {
        match_id: table.match_id.clone(),
        input: Some(submit_move_request::Input::Notation("1,1".to_owned())),
        request_id: Some(Uuid::new_v4().to_string()),
        ..Default::default()
    };
    let token = table.tokens[0].clone();
    let submit = |client: &Client| {
        let (mut matches, request) = (client.matches.clone(), sent(repeated.clone(), Some(&token)));
        async move { matches.submit_move(request).await }
    };
    let first = submit(&attacker).await.unwrap().into_inner();
    attacker.submit(&table, 1, "8,8").await.unwrap();
    for _ in 0..TURNS {
        attacker.turn(&table, "2,2", "7,7").await;
    }
    let mut calls = JoinSet::new();
    for round in 0..8 {
        // A connection with many cancelled calls is closed by the service.
        let client = Client::over(channel_from(ATTACKER, &process.address).await);
        for number in 0..200 {
            let call = submit(&client);
            let patience = Duration::from_millis(if number % 10 == 0 { 30_000 } else { round % 5 });
            calls.spawn(async move { timeout(patience, call).await.ok()?.ok() });
        }
        player.makes_moves().await;
    }
    let answers: Vec<_> = calls.join_all().await.into_iter().flatten().collect();
    player.makes_moves().await;
    player.finish().await;
    assert!(!answers.is_empty());
    assert!(answers.into_iter().all(|answer| answer.into_inner() == first));
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
