//! Many calls whose messages never arrive, which would take all permits.

use tokio::task::JoinSet;

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Storage, channel_from, unfinished};

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_a_message_take_no_permits() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--max-calls", "64"]);
    let player = Player::at(&process.address).await;
    let mut tasks = JoinSet::new();
    for _ in 0..4 {
        let channel = channel_from(ATTACKER, &process.address).await;
        for _ in 0..250 {
            tasks.spawn(unfinished(channel.clone(), "GetView"));
        }
    }
    // All the time until the service refuses the last of them.
    while !tasks.is_empty() {
        player.makes_moves().await;
        while let Some(refused) = tasks.try_join_next() {
            let status = refused.unwrap().unwrap_err();
            assert_eq!(status.code(), tonic::Code::InvalidArgument, "{status}");
        }
    }
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
