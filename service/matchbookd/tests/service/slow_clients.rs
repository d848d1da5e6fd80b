//! Clients that are slow, silent or verbose, by accident or design: each is let go of after a while, and none holds a
//! place that another needs. The clock runs by itself when nobody does anything, so half a minute takes no time.

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http2::SendRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Duration, sleep};

use crate::stage::{Backend, Stage, Storage};

async fn raw(stage: &Stage, bytes: &[u8]) -> TcpStream {
    let mut connection = TcpStream::connect(&stage.address).await.unwrap();
    connection.write_all(bytes).await.unwrap();
    connection
}

/// Everything until the server closes the connection, however it does.
async fn until_closed(connection: &mut TcpStream) -> String {
    let (mut all, mut bytes) = (Vec::new(), [0; 65_536]);
    while let Ok(count @ 1..) = connection.read(&mut bytes).await {
        all.extend_from_slice(&bytes[..count]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[tokio::test(start_paused = true)]
async fn who_says_nothing_or_half_a_request_is_let_go() {
    let stage = Stage::on(Backend::Memory).await;
    let http2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for said in [
        &b""[..],
        b"GET / HT",
        b"GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: ",
        // An HTTP/2 client that answers no ping.
        http2,
    ] {
        let mut connection = raw(&stage, said).await;
        let told = until_closed(&mut connection).await;
        assert!(!told.contains("200 OK"), "{told}");
    }
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_byte_now_and_then_does_not_keep_a_connection() {
    let stage = Stage::on(Backend::Memory).await;
    let mut connection = raw(&stage, b"GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: ").await;
    // A header that would be whole after a thousand seconds.
    for sent in 0.. {
        assert!(sent < 200, "still there");
        sleep(Duration::from_secs(5)).await;
        if connection.write_all(b"a").await.is_err() {
            break;
        }
    }
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_connection_between_two_requests_is_let_go_as_well() {
    let stage = Stage::on(Backend::Memory).await;
    let mut connection = raw(&stage, b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let told = until_closed(&mut connection).await;
    assert!(told.starts_with("HTTP/1.1 200 OK") && told.ends_with("alive\n"), "{told}");
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_waited_for_as_long_as_any_call() {
    let stage = Stage::on(Backend::Memory).await;
    let head = "POST /v1/matches HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    let mut connection = raw(&stage, head.as_bytes()).await;
    let told = until_closed(&mut connection).await;
    assert!(told.starts_with("HTTP/1.1 400 Bad Request") && told.contains("connection: close"), "{told}");
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_its_answers_loses_the_place_to_the_next() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    // The stage's own client has the other.
    config.limits.max_connections = 2;
    let stage = Stage::with(config).await;
    let many = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(500);
    let _slow = raw(&stage, &many).await;
    let mut next = raw(&stage, b"GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(until_closed(&mut next).await.starts_with("HTTP/1.1 200 OK"));
    stage.close().await;
}

#[tokio::test]
async fn more_connections_than_there_are_places_wait_for_one() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_connections = 2;
    let stage = Stage::with(config).await;
    let asking = b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut first = raw(&stage, asking).await;
    let mut answer = [0; 15];
    first.read_exact(&mut answer).await.unwrap();
    let mut second = raw(&stage, asking).await;
    // The first is served on; the second is not until the first has gone.
    first.write_all(asking).await.unwrap();
    first.readable().await.unwrap();
    assert!(second.try_read(&mut answer).is_err());
    drop(first);
    second.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200 OK");
    stage.close().await;
}

/// The status line of what a whole request is told.
async fn status(stage: &Stage, request: &str) -> String {
    let mut connection = raw(stage, request.as_bytes()).await;
    let told = until_closed(&mut connection).await;
    told.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn headers_have_a_limit_over_http_1() {
    let stage = Stage::on(Backend::Memory).await;
    let with =
        |headers: &str| format!("GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
    let one = |bytes: usize| with(&format!("x-large: {}\r\n", "a".repeat(bytes)));
    assert_eq!(status(&stage, &one(15 << 10)).await, "HTTP/1.1 200 OK");
    assert_eq!(status(&stage, &one(17 << 10)).await, "HTTP/1.1 413 Payload Too Large");
    assert_eq!(status(&stage, &one(1 << 20)).await, "HTTP/1.1 431 Request Header Fields Too Large");
    let many: String = (0..200).map(|number| format!("x-{number}: a\r\n")).collect();
    assert_eq!(status(&stage, &with(&many)).await, "HTTP/1.1 431 Request Header Fields Too Large");
    let path = format!("GET /{} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", "a".repeat(70_000));
    assert_eq!(status(&stage, &path).await, "HTTP/1.1 414 URI Too Long");
    let web = "POST /matchbook.v1.GameService/ListGames HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
               content-type: application/grpc-web+proto\r\ncontent-length: 5\r\n";
    let web = format!("{web}x-large: {}\r\n\r\n\0\0\0\0\0", "a".repeat(17 << 10));
    let told = until_closed(&mut raw(&stage, web.as_bytes()).await).await;
    assert!(
        told.contains("grpc-status: 8") && told.contains("the%20headers%20exceed%20the%20limit"),
        "{told}"
    );
    stage.close().await;
}

async fn http2(stage: &Stage) -> SendRequest<Empty<Bytes>> {
    let stream = TokioIo::new(TcpStream::connect(&stage.address).await.unwrap());
    let (sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(connection);
    sender
}

#[tokio::test]
async fn headers_have_a_limit_over_http_2() {
    let stage = Stage::on(Backend::Memory).await;
    let with = |bytes: usize| {
        let large = "a".repeat(bytes);
        Request::get(format!("http://{}/livez", stage.address))
            .header("x-large", large)
            .body(Empty::new())
            .unwrap()
    };
    let mut sender = http2(&stage).await;
    assert_eq!(sender.send_request(with(15 << 10)).await.unwrap().status(), 200);
    // A client that knows the limit from the server's settings does not even send it.
    let told = sender.send_request(with(17 << 10)).await;
    assert!(told.is_err() || told.is_ok_and(|answer| answer.status() == 431));
    let mut sender = http2(&stage).await;
    let answer = sender.send_request(with(1)).await.unwrap();
    assert_eq!(answer.into_body().collect().await.unwrap().to_bytes(), "alive\n");
    stage.close().await;
}
