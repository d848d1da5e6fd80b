//! Many forks of a long match, each of which is large in memory.

use wire::v1::{CreateMatchRequest, ForkMatchRequest};

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Client, Storage, Table, channel_from};

/// Turns of the match.
const TURNS: usize = 200;

/// Forks of the match. In memory each takes about a megabyte.
const FORKS: usize = 150;

/// Plays a long match of Sticky Cresnovian Chess, each turn of which writes the longest words.
pub(super) async fn long_match(client: &Client, turns: usize) -> String {
    let create = CreateMatchRequest { game_id: "cresnovian-chess".to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(create).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let mut tokens = Vec::new();
    for seat in [0, 1] {
        tokens.push(client.claim(&match_id, seat, "Mallory").await.unwrap());
    }
    let table = Table { match_id, tokens: tokens.try_into().unwrap() };
    let place = "place ess@1,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9";
    client.submit(&table, 0, place).await.unwrap();
    client.submit(&table, 1, "left").await.unwrap();
    let document = format!("document{}", format!(" {}", "\u{1F600}".repeat(32)).repeat(9));
    for turn in 0..turns {
        client.submit(&table, (turn + 1) % 2, &document).await.unwrap();
    }
    table.match_id
}

#[tokio::test(flavor = "multi_thread")]
async fn forks_of_a_long_match_do_not_fill_the_memory() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = serve(&storage, &["--max-live-bytes", "8388608"]);
    let player = Player::at(&process.address).await;
    let attacker = Client::over(channel_from(ATTACKER, &process.address).await);
    let match_id = long_match(&attacker, TURNS).await;
    for _ in 0..FORKS {
        let fork = ForkMatchRequest { match_id: match_id.clone(), ..Default::default() };
        attacker.matches.clone().fork_match(fork).await.unwrap();
    }
    player.makes_moves().await;
    player.finish().await;
    assert_memory(&process);
    assert!(process.peak_memory() < 200 << 20, "{} MiB", process.peak_memory() >> 20);
    assert_eq!(process.terminate().0, Some(0));
}
