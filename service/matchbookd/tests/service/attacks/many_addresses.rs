//! The worst that one address can do with memory, done by many addresses at once: answers that nobody reads,
//! bodies that never become whole, feeds of large events, and looks at the past of a match that is not in
//! memory. A trusted proxy forwards the addresses, so each has its own share and no connection has one.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::Request;
use http_body_util::{Empty, StreamBody};
use hyper::body::Frame;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::task::JoinSet;
use tokio::time::{Duration, sleep, timeout};

use super::feed::store_large_events;
use super::forks::long_match;
use super::player::Player;
use super::unread_responses::closed_window;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Client, Storage, channel_from, connect_from};

const ADDRESSES: usize = 40;

/// Turns of the match.
const TURNS: usize = 150;

/// Bodies of each address, and the bytes of each that arrive.
const BODIES: usize = 20;
const SENT: usize = 250 << 10;

/// How long the attackers wait for the heads of answers, and then hold what they have.
const PATIENCE: Duration = Duration::from_secs(20);
const HELD: Duration = Duration::from_secs(5);

/// Returns the address of an attacker, each in a network of its own.
fn address(number: usize) -> String {
    format!("2001:db8:{number:x}::1")
}

/// Asks for large answers on a connection that takes no byte of any, and returns the statuses.
async fn leave_answers_unread(server: String, number: usize, targets: Vec<String>) -> Vec<u16> {
    let mut sender = closed_window(&server).await;
    let mut answers = JoinSet::new();
    for target in targets {
        let request = Request::get(format!("http://{server}{target}"))
            .header("x-forwarded-for", address(number))
            .header("accept", "application/json")
            .body(Empty::new())
            .unwrap();
        let sent = sender.send_request(request);
        answers.spawn(async move { timeout(PATIENCE, sent).await.ok()?.ok() });
    }
    let held: Vec<_> = answers.join_all().await.into_iter().flatten().collect();
    sleep(HELD).await;
    held.iter().map(|response| response.status().as_u16()).collect()
}

/// Sends bodies that never become whole, and returns the statuses.
async fn leave_bodies_unfinished(server: String, number: usize) -> Vec<u16> {
    let stream = TokioIo::new(connect_from(ATTACKER, &server).await.unwrap());
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(connection);
    let mut answers = JoinSet::new();
    for _ in 0..BODIES {
        let part = Ok::<_, Infallible>(Frame::data(Bytes::from(vec![b' '; SENT])));
        let body = StreamBody::new(Box::pin(stream::iter([part]).chain(stream::pending())));
        let request = Request::post(format!("http://{server}/v1/matches"))
            .header("x-forwarded-for", address(number))
            .header("content-type", "application/json")
            .body(body)
            .unwrap();
        let sent = sender.send_request(request);
        answers.spawn(async move { timeout(PATIENCE, sent).await.ok()?.ok() });
    }
    let answers = answers.join_all().await.into_iter().flatten();
    answers.map(|response| response.status().as_u16()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_addresses_at_once_do_not_fill_the_memory() {
    let storage = Storage::here(Backend::Sqlite).await;
    let first = serve(&storage, &[]);
    let attacker = Client::over(channel_from(ATTACKER, &first.address).await);
    let match_id = long_match(&attacker, TURNS).await;
    assert_eq!(first.terminate().0, Some(0));
    store_large_events(&storage).await;

    let process = serve(&storage, &["--trusted-proxies", "127.0.0.0/8"]);
    let player = Player::at(&process.address).await;
    let (mut unread, mut unfinished) = (JoinSet::new(), JoinSet::new());
    for number in 0..ADDRESSES {
        let of_match = |target: String| format!("/v1/matches/{match_id}/{target}");
        let targets = vec![
            "/v1/feed".to_owned(),
            of_match(format!("view?atSeq={}", TURNS - number)),
            of_match(format!("board.svg?atSeq={}", TURNS - number - 1)),
            of_match("events?pageSize=500".to_owned()),
            of_match("watch?afterSeq=0&include=view".to_owned()),
            "/v1/feed".to_owned(),
            "/openapi.json".to_owned(),
        ];
        unread.spawn(leave_answers_unread(process.address.clone(), number, targets));
        unfinished.spawn(leave_bodies_unfinished(process.address.clone(), number));
    }
    let mut answered = Vec::new();
    while !unread.is_empty() {
        player.makes_moves().await;
        while let Some(ended) = unread.try_join_next() {
            answered.extend(ended.unwrap());
        }
    }
    let statuses = unfinished.join_all().await.concat();
    player.makes_moves().await;
    player.finish().await;
    let count = |status| answered.iter().filter(|answer| **answer == status).count();
    println!("answered {}: {} large ones, {} refusals", answered.len(), count(200), count(429) + count(503));
    assert!(count(200) > ADDRESSES, "the attackers get what they are to leave unread");
    assert!(!statuses.contains(&200));
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
