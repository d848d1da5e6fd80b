//! HTTP/2 clients whose flow-control windows stay closed, so that no response leaves the service.

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Process, Storage, connect_from};

/// Opens an HTTP/2 connection that takes no byte of any body.
pub(super) async fn closed_window(address: &str) -> SendRequest<Empty<Bytes>> {
    with_window(address, 0).await
}

/// Opens an HTTP/2 connection that takes so many bytes of each body until some are read.
async fn with_window(address: &str, bytes: u32) -> SendRequest<Empty<Bytes>> {
    let stream = TokioIo::new(connect_from(ATTACKER, address).await.unwrap());
    let mut builder = Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(bytes).max_concurrent_streams(4096);
    let (sender, connection) = builder.handshake(stream).await.unwrap();
    tokio::spawn(connection);
    sender
}

/// Sends requests whose responses are not read, and returns the statuses that arrive within two seconds.
async fn flood(process: &Process, target: &str, connections: usize, requests: usize) -> Vec<StatusCode> {
    let mut tasks = JoinSet::new();
    for _ in 0..connections {
        let mut sender = closed_window(&process.address).await;
        for _ in 0..requests {
            let request = Request::get(format!("http://{}{target}", process.address));
            let sent = sender.send_request(request.body(Empty::new()).unwrap());
            tasks.spawn(async move {
                let response = timeout(Duration::from_secs(2), sent).await.ok()?.ok()?;
                let status = response.status();
                // Holds the stream open.
                tokio::time::sleep(Duration::from_secs(2)).await;
                Some(status)
            });
        }
    }
    tasks.join_all().await.into_iter().flatten().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_responses_are_bounded() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    let statuses = flood(&process, "/openapi.json", 7, 1_000).await;
    player.makes_moves().await;
    player.finish().await;
    assert_memory(&process);
    assert!(statuses.contains(&StatusCode::OK) && statuses.contains(&StatusCode::TOO_MANY_REQUESTS));
    // A page shares its bytes with all responses, so the connection's own memory is all there is.
    assert!(process.peak_memory() < 400 << 20, "{} MiB", process.peak_memory() >> 20);
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_stops_reading_large_responses_is_disconnected() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--max-connections", "2", "--idle-timeout", "1h"]);
    let mut sender = closed_window(&process.address).await;
    let request = || {
        let request = Request::get(format!("http://{}/openapi.json", process.address));
        request.body(Empty::<Bytes>::new()).unwrap()
    };
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(sender.send_request(request()).await.unwrap());
    }
    timeout(Duration::from_secs(60), async {
        while sender.ready().await.is_ok() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    })
    .await
    .expect("the connection ends");
    assert_eq!(process.terminate().0, Some(0));
}

/// Each byte that it reads is less than what counts as progress, and there are too many of them to wait for.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_a_byte_at_a_time_is_disconnected() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &["--idle-timeout", "1h"]);
    let mut sender = with_window(&process.address, 1).await;
    for _ in 0..4 {
        let request = Request::get(format!("http://{}/openapi.json", process.address));
        let response = sender.send_request(request.body(Empty::<Bytes>::new()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        tokio::spawn(async move {
            let mut body = response.into_body();
            while let Some(Ok(_)) = body.frame().await {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
    }
    timeout(Duration::from_secs(90), async {
        while sender.ready().await.is_ok() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    })
    .await
    .expect("the connection ends");
    assert_eq!(process.terminate().0, Some(0));
}
