//! Storms of changes that are no moves: tokens replaced again and again, labels written without end.

use std::collections::HashMap;

use rstest::rstest;
use tokio::task::JoinSet;
use tonic::Code;
use wire::games::angels_and_demons::v1 as game;
use wire::v1;

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::keys::new_key;
use crate::stage::{
    Backend, Client, Storage, Table, channel_from, claim_secret, create_request, refused, sent,
};

const CONNECTIONS: usize = 8;
/// Calls of each connection that writes labels.
const WRITES: usize = 150;
/// Turns that are played meanwhile.
const TURNS: u32 = 20;
/// How often a seat may replace its token.
const ROTATIONS: usize = 64;

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn rotations_without_end_hold_up_nobody(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    let mut rotating = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let client = Client::over(channel_from(ATTACKER, &process.address).await);
        rotating.spawn(async move {
            let table = client.table(4, 4, 2).await;
            (rotate_until_refused(&client, &table).await, client.head_seq(&table.match_id).await)
        });
    }
    player.makes_moves().await;
    for (rotations, head) in rotating.join_all().await {
        assert_eq!(rotations, ROTATIONS);
        // The match has started with four events; each rotation is one more.
        assert_eq!(head as usize, 4 + ROTATIONS);
    }
    player.makes_moves().await;
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}

/// Replaces the token of seat 0 until that is refused, and returns how often it was done.
async fn rotate_until_refused(client: &Client, table: &Table) -> usize {
    let mut token = table.tokens[0].clone();
    for rotations in 0..=ROTATIONS {
        let request = v1::RotateSeatTokenRequest {
            match_id: table.match_id.clone(),
            seat: Some(0),
            request_id: None,
            claim_secret: claim_secret(),
        };
        let answer = client.matches.clone().rotate_seat_token(sent(request, Some(&token))).await;
        match answer {
            Ok(answer) => token = answer.into_inner().seat_token,
            refusal => {
                refused(refusal).is("TOO_MANY_ROTATIONS", Code::FailedPrecondition, "");
                return rotations;
            }
        }
    }
    unreachable!("the last rotation was not refused")
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn labels_written_without_end_hold_up_nobody(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let (secret, key_line) = new_key("shop", "app");
    let process = serve(&storage, &["--api-key", &key_line]);
    let player = Client::of(&process.address).await;
    let table = table_of_key(&player, &secret).await;
    let mut writing = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let client = Client::over(channel_from(ATTACKER, &process.address).await);
        let match_id = table_of_key(&client, &secret).await.match_id;
        let secret = secret.clone();
        writing.spawn(async move { write_labels(&client, &match_id, &secret).await });
    }
    for _ in 0..TURNS {
        player.turn(&table, "2,2", "7,7").await;
    }
    writing.join_all().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}

async fn table_of_key(client: &Client, secret: &str) -> Table {
    let options = game::Options { rows: Some(8), cols: Some(8), turns: Some(TURNS) };
    let request = sent(create_request(options), Some(secret));
    let created = client.matches.clone().create_match(request).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let angels = client.claim(&match_id, 0, "Ann").await.unwrap();
    let demons = client.claim(&match_id, 1, "Ben").await.unwrap();
    Table { match_id, tokens: [angels, demons] }
}

/// Writes other labels again and again; none of it is an event.
async fn write_labels(client: &Client, match_id: &str, secret: &str) {
    let head = client.head_seq(match_id).await;
    for number in 0..WRITES {
        let labels = HashMap::from([("round".to_owned(), number.to_string())]);
        let request =
            v1::UpdateMatchLabelsRequest { match_id: match_id.to_owned(), labels, update_mask: None };
        client.matches.clone().update_match_labels(sent(request, Some(secret))).await.unwrap();
    }
    assert_eq!(client.head_seq(match_id).await, head);
}
