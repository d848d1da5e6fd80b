//! Many open connections on which nothing happens.

use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Http, Storage, connect_from, run};

/// Opens an HTTP/2 connection that answers pings and makes no call.
async fn idle(source: &str, address: &str) -> Option<SendRequest<Empty<Bytes>>> {
    let stream = TokioIo::new(connect_from(source, address).await.ok()?);
    let (sender, connection) = handshake(TokioExecutor::new(), stream).await.ok()?;
    tokio::spawn(connection);
    Some(sender)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_take_all_connections() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--max-connections", "50"]);
    let mut held = Vec::new();
    for _ in 0..100 {
        held.extend(idle(ATTACKER, &process.address).await);
    }
    let player = Player::at(&process.address).await;
    assert_eq!(Http::of(&process.address).get("/readyz", &[]).await.text(), "ready\n");
    assert_eq!(run(&["healthcheck", "--listen", &process.address]).0, 0);
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_of_many_addresses_are_closed_when_all_are_taken() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--max-connections", "8", "--health-listen", "127.0.0.1:0"]);
    let health = process.health_address.clone().unwrap();
    let mut held = Vec::new();
    for host in 10..30 {
        held.extend(idle(&format!("127.0.0.{host}"), &process.address).await);
    }
    // Health answers meanwhile, on its own connections.
    assert_eq!(Http::of(&health).get("/livez", &[]).await.text(), "alive\n");
    assert_eq!(Http::of(&health).get("/readyz", &[]).await.text(), "ready\n");
    let listen = ["healthcheck", "--listen", "127.0.0.1:1", "--health-listen", &health];
    assert_eq!(run(&listen).0, 0);
    // The player connects once idle connections have made room.
    let player = Player::at(&process.address).await;
    player.finish().await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_gets_goaway_and_one_in_use_stays() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--idle-timeout", "1ms"]);
    let player = Player::at(&process.address).await;
    let mut sender = idle(ATTACKER, &process.address).await.unwrap();
    while sender.ready().await.is_ok() {
        player.makes_moves().await;
    }
    player.finish().await;
    assert_eq!(process.terminate().0, Some(0));
}
