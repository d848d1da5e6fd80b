//! Clients that are slow, silent or verbose, by accident or design: each is disconnected after a while, and
//! none holds a connection or permit that another client needs. Time is paused and advances only while all
//! tasks are idle, so timeouts take no real time.

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http2::SendRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Duration, sleep};

use crate::stage::{Backend, Stage, Storage, connect_from};

async fn raw(stage: &Stage, bytes: &[u8]) -> TcpStream {
    raw_from("127.0.0.2", stage, bytes).await
}

/// Connects from an address of this machine and sends bytes.
async fn raw_from(source: &str, stage: &Stage, bytes: &[u8]) -> TcpStream {
    let mut connection = connect_from(source, &stage.address).await.unwrap();
    connection.write_all(bytes).await.unwrap();
    connection
}

/// Reads until the server closes the connection, cleanly or not.
async fn until_closed(connection: &mut TcpStream) -> String {
    let (mut all, mut bytes) = (Vec::new(), [0; 65_536]);
    while let Ok(count @ 1..) = connection.read(&mut bytes).await {
        all.extend_from_slice(&bytes[..count]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_completes_its_request_is_disconnected() {
    let stage = Stage::on(Backend::Memory).await;
    let http2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for request in [
        &b""[..],
        b"GET / HT",
        b"GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: ",
        // An HTTP/2 client that does not answer pings.
        http2,
    ] {
        let mut connection = raw(&stage, request).await;
        let response = until_closed(&mut connection).await;
        assert!(!response.contains("200 OK"), "{response}");
    }
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_trickle_of_header_bytes_does_not_keep_a_connection() {
    let stage = Stage::on(Backend::Memory).await;
    let mut connection = raw(&stage, b"GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: ").await;
    // A header that would be complete after a thousand seconds.
    for sent in 0.. {
        assert!(sent < 200, "still connected");
        sleep(Duration::from_secs(5)).await;
        if connection.write_all(b"a").await.is_err() {
            break;
        }
    }
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_is_closed() {
    let stage = Stage::on(Backend::Memory).await;
    let mut connection = raw(&stage, b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let response = until_closed(&mut connection).await;
    assert!(response.starts_with("HTTP/1.1 200 OK") && response.ends_with("alive\n"), "{response}");
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_arrives_is_refused() {
    let stage = Stage::on(Backend::Memory).await;
    let head = "POST /v1/matches HTTP/1.1\r\nhost: x\r\n\
                content-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    let mut connection = raw(&stage, head.as_bytes()).await;
    let response = until_closed(&mut connection).await;
    assert!(
        response.starts_with("HTTP/1.1 400 Bad Request") && response.contains("connection: close"),
        "{response}"
    );
    stage.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_no_responses_loses_its_connection() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    // The stage's own client holds the other connection.
    config.limits.max_connections = 2;
    let stage = Stage::with(config).await;
    let many = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(500);
    let _slow = raw(&stage, &many).await;
    let mut next =
        raw_from("127.0.0.3", &stage, b"GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(until_closed(&mut next).await.starts_with("HTTP/1.1 200 OK"));
    stage.close().await;
}

#[tokio::test]
async fn connections_beyond_the_limit_wait() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_connections = 2;
    let stage = Stage::with(config).await;
    let request = b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut first = raw(&stage, request).await;
    let mut response = [0; 15];
    first.read_exact(&mut response).await.unwrap();
    let mut second = raw_from("127.0.0.3", &stage, request).await;
    // The first connection is still served; the second waits until the first closes.
    first.write_all(request).await.unwrap();
    first.readable().await.unwrap();
    assert!(second.try_read(&mut response).is_err());
    drop(first);
    second.read_exact(&mut response).await.unwrap();
    assert_eq!(&response, b"HTTP/1.1 200 OK");
    stage.close().await;
}

/// Returns the status line of the response to a raw request.
async fn status(stage: &Stage, request: &str) -> String {
    let mut connection = raw(stage, request.as_bytes()).await;
    let response = until_closed(&mut connection).await;
    response.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_size_of_http_1_headers_is_limited() {
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
    assert_eq!(status(&stage, &path).await, "HTTP/1.1 431 Request Header Fields Too Large");
    let web = "POST /matchbook.v1.GameService/ListGames HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
               content-type: application/grpc-web+proto\r\ncontent-length: 5\r\n";
    let web = format!("{web}x-large: {}\r\n\r\n\0\0\0\0\0", "a".repeat(17 << 10));
    let response = until_closed(&mut raw(&stage, web.as_bytes()).await).await;
    assert!(
        response.contains("grpc-status: 8") && response.contains("the%20headers%20exceed%20the%20limit"),
        "{response}"
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
async fn the_size_of_http_2_headers_is_limited() {
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
    // A client that knows the limit from the server's settings does not send the request at all.
    let response = sender.send_request(with(17 << 10)).await;
    assert!(response.is_err() || response.is_ok_and(|response| response.status() == 431));
    let mut sender = http2(&stage).await;
    let response = sender.send_request(with(1)).await.unwrap();
    assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "alive\n");
    stage.close().await;
}
