//! Streams of moves whose answers nobody reads.

use std::convert::Infallible;
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use http::Request;
use http_body_util::StreamBody;
use hyper::body::Frame;
use hyper::client::conn::http2::Builder;
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use wire::v1;

use super::player::Player;
use super::{ATTACKER, assert_memory, serve};
use crate::stage::{Backend, Storage, connect_from};

const CONNECTIONS: usize = 5;
/// Fewer in all than the streams that one caller may have.
const STREAMS: usize = 180;
/// More than may be under way on a stream.
const MOVES: usize = 2_000;

/// Returns a request that is refused, as gRPC sends it.
fn refused() -> Bytes {
    let request = v1::SubmitMovesRequest {
        call_id: 1,
        seat_token: "mbs_nobody".to_owned(),
        r#move: Some(v1::SubmitMoveRequest { match_id: "x".repeat(60), ..Default::default() }),
    };
    let encoded = request.encode_to_vec();
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(u32::try_from(encoded.len()).unwrap());
    frame.put_slice(&encoded);
    frame.freeze()
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_answers_to_moves_are_bounded() {
    let storage = Storage::here(Backend::Memory).await;
    // A proxy is read as fast as it sends, and its clients are those that it forwards.
    let process = serve(&storage, &["--trusted-proxies", ATTACKER]);
    let player = Player::at(&process.address).await;
    let (mut tasks, frame) = (JoinSet::new(), refused());
    for _ in 0..CONNECTIONS {
        let stream = TokioIo::new(connect_from(ATTACKER, &process.address).await.unwrap());
        let mut builder = Builder::new(TokioExecutor::new());
        // No byte of any answer leaves the service.
        let builder = builder.initial_stream_window_size(0).max_concurrent_streams(4096);
        let (mut sender, connection) = builder.handshake(stream).await.unwrap();
        tokio::spawn(connection);
        for _ in 0..STREAMS {
            let moves = Bytes::from(frame.repeat(100));
            let frames = stream::iter(std::iter::repeat_n(moves, MOVES / 100)).chain(stream::pending());
            let body = StreamBody::new(Box::pin(frames.map(|data| Ok::<_, Infallible>(Frame::data(data)))));
            let target = format!("http://{}/matchbook.v1.MatchService/SubmitMoves", process.address);
            let request = Request::post(target)
                .header("content-type", "application/grpc")
                .header("te", "trailers")
                .header("x-forwarded-for", "192.0.2.66");
            let sent = sender.send_request(request.body(body).unwrap());
            tasks.spawn(async move {
                let response = timeout(Duration::from_secs(10), sent).await;
                // Holds the stream open.
                sleep(Duration::from_secs(10)).await;
                matches!(response, Ok(Ok(_)))
            });
        }
    }
    player.makes_moves().await;
    let opened = tasks.join_all().await;
    player.makes_moves().await;
    player.finish().await;
    assert_memory(&process);
    assert!(opened.contains(&true));
    assert!(process.peak_memory() < 400 << 20, "{} MiB", process.peak_memory() >> 20);
    assert_eq!(process.terminate().0, Some(0));
}
