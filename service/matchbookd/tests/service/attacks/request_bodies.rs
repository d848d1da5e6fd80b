//! Many request bodies that never become whole.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::Request;
use http_body_util::StreamBody;
use hyper::body::Frame;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::task::JoinSet;

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Storage, connect_from};

/// Bytes of each body that arrive. The rest of the 256 KiB never does.
const SENT: usize = 250 << 10;

/// Sends bodies that never become whole, from one address or through a proxy that forwards one, beside a
/// player. Returns the statuses of the responses.
async fn leave_bodies_unfinished(settings: &[&str]) -> Vec<Option<u16>> {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, settings);
    let player = Player::at(&process.address).await;
    let mut tasks = JoinSet::new();
    for _ in 0..20 {
        let stream = TokioIo::new(connect_from(ATTACKER, &process.address).await.unwrap());
        let (mut sender, connection) = http2::handshake(TokioExecutor::new(), stream).await.unwrap();
        tokio::spawn(connection);
        for _ in 0..100 {
            let part = Ok::<_, std::convert::Infallible>(Frame::data(Bytes::from(vec![b' '; SENT])));
            let body = StreamBody::new(Box::pin(stream::iter([part]).chain(stream::pending())));
            let request = Request::post(format!("http://{}/v1/matches", process.address))
                .header("content-type", "application/json")
                .header("x-forwarded-for", "192.0.2.66")
                .body(body)
                .unwrap();
            let sent = sender.send_request(request);
            tasks.spawn(async move { sent.await.map(|response| response.status().as_u16()).ok() });
        }
    }
    player.makes_moves().await;
    let statuses = tasks.join_all().await;
    player.makes_moves().await;
    player.finish().await;
    assert_memory(&process);
    assert!(!statuses.contains(&Some(200)));
    assert!(process.peak_memory() < 400 << 20, "{} MiB", process.peak_memory() >> 20);
    assert_eq!(process.terminate().0, Some(0));
    statuses
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_bodies_are_bounded() {
    // A proxy is read as fast as it sends, so the bodies reach the share of the address that it forwards.
    let statuses = leave_bodies_unfinished(&["--trusted-proxies", ATTACKER]).await;
    assert!(statuses.contains(&Some(429)), "over the share");
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_bodies_of_one_address_hold_up_nobody() {
    leave_bodies_unfinished(&[]).await;
}
