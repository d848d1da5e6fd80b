//! Anonymous lists, each by a name or a status that very many private matches have.

use rstest::rstest;
use tokio::task::JoinSet;

use super::player::Player;
use super::{ATTACKER, assert_memory, scale, serve};
use crate::stage::{Backend, Client, Http, Storage, channel_from};

/// Private matches of the common player.
const PRIVATE: u32 = 100_000;

/// Connections of the attacker, and how many lists each asks for in a row.
const CONNECTIONS: usize = 16;
const ROUNDS: usize = 12;

/// Stores private matches of one player, as an app with very many of them would have.
async fn store_private_matches(storage: &Storage, backend: Backend) {
    let (id, hash) = match backend {
        Backend::Postgres => ("gen_random_uuid()", "decode(repeat('00', 32), 'hex')"),
        Backend::Sqlite | Backend::Memory => ("randomblob(16)", "zeroblob(32)"),
    };
    let matches = format!(
        "WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {PRIVATE})
         INSERT INTO match (match_id, owner, game, status, visibility, create_time, seat_count)
         SELECT {id}, 'app', 'ludus-magus', 'running', 'private', n, 2 FROM series"
    );
    let seats = format!(
        "INSERT INTO match_seat (match_id, seat, owner, visibility, create_time, token_hash, generation,
                                 salt, display_name)
         SELECT match_id, 0, owner, visibility, create_time, {hash}, 1, {hash}, 'Bo' FROM match"
    );
    storage.execute(&matches).await;
    storage.execute(&seats).await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn lists_beside_many_private_matches_hold_up_nobody(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    // The first start creates the tables.
    assert_eq!(serve(&storage, &[]).terminate().0, Some(0));
    store_private_matches(&storage, backend).await;
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    let mut attackers = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let mut attacker = Client::over(channel_from(ATTACKER, &process.address).await).matches;
        attackers.spawn(async move {
            let (mut answered, running) = (0, wire::v1::MatchStatus::Running);
            for round in 0..ROUNDS * scale() {
                let request = wire::v1::ListMatchesRequest {
                    player: (round % 2 == 0).then(|| "Bo".to_owned()),
                    status: (round % 3 == 0).then_some(running.into()),
                    game_id: (round % 4 > 0).then(|| "ludus-magus".to_owned()),
                    ..Default::default()
                };
                answered += usize::from(attacker.list_matches(request).await.is_ok());
            }
            answered
        });
    }
    let (http, mut answered) = (Http::of(&process.address), 0);
    while let Some(done) = attackers.join_next().await {
        // Others list as well, and see none of the private matches.
        let listed = http.get("/v1/matches?player=Bo", &[]).await;
        assert_eq!((listed.status.as_u16(), &listed.json()["matches"]), (200, &serde_json::json!([])));
        player.makes_moves().await;
        answered += done.unwrap();
    }
    assert_eq!(answered, CONNECTIONS * ROUNDS * scale());
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
