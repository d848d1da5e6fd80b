//! A graceful stop: health reports it before anything changes, calls are served meanwhile, every kind of
//! connection is closed, and another replica takes over.

use std::time::Duration;

use http::Method;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_stream::StreamExt;
use tonic::Request;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_prost::ProstCodec;
use wire::v1;
use wire::v1::watch_match_response::Frame;

use crate::stage::{Backend, Client, Http, Process, Storage, connect, sent, submit_request, unfinished};

/// Longer than any test: a stop that waits for this timeout makes the test hang.
const ONE_HOUR: &str = "1h";

async fn health(address: &str, service: &str) -> ServingStatus {
    let request = HealthCheckRequest { service: service.to_owned() };
    HealthClient::new(connect(address).await).check(request).await.unwrap().into_inner().status()
}

#[tokio::test(flavor = "multi_thread")]
async fn health_reports_the_drain_and_calls_are_served_until_it_ends() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--drain", "2s", "--shutdown-grace", ONE_HOUR]);
    let client = Client::of(&process.address).await;
    let table = client.table(8, 8, 20).await;
    let mut watch = client.watch(&table.match_id, None, None).await.unwrap();
    watch.next().await.unwrap().unwrap();
    process.signal("-TERM");
    while health(&process.address, "").await == ServingStatus::Serving {
        tokio::task::yield_now().await;
    }
    // Over new connections too: the load balancer may not have noticed yet.
    let http = Http::of(&process.address);
    http.get("/readyz", &[]).await.refused(503, "SHUTTING_DOWN");
    assert_eq!(http.get("/livez", &[]).await.status, 200);
    assert_eq!(health(&process.address, "liveness").await, ServingStatus::Serving);
    Client::of(&process.address).await.submit(&table, 0, "1,1").await.unwrap();
    let Some(Frame::Event(event)) = watch.next().await.unwrap().unwrap().frame else { panic!("no event") };
    assert_eq!(event.seq, 5, "a watch receives events during the drain");
    let end = watch.next().await.unwrap().unwrap_err();
    assert_eq!(end.code(), tonic::Code::Unavailable);
    let (code, _) = { process }.wait();
    assert_eq!(code, Some(0));
}

/// Returns the first line that a raw connection receives, empty if the connection is closed.
async fn first_line(connection: &mut TcpStream) -> String {
    let mut bytes = vec![0; 4096];
    let count = connection.read(&mut bytes).await.unwrap();
    String::from_utf8_lossy(&bytes[..count]).lines().next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_are_closed_without_delaying_the_stop() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--shutdown-grace", ONE_HOUR]);
    // HTTP/1 between two requests.
    let mut kept_alive = TcpStream::connect(&process.address).await.unwrap();
    kept_alive.write_all(b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    assert_eq!(first_line(&mut kept_alive).await, "HTTP/1.1 200 OK");
    // HTTP/2 without open streams.
    let stream = TcpStream::connect(&process.address).await.unwrap();
    let (mut h2, connection) = hyper::client::conn::http2::handshake::<
        _,
        _,
        http_body_util::Empty<bytes::Bytes>,
    >(TokioExecutor::new(), TokioIo::new(stream))
    .await
    .unwrap();
    let ended = tokio::spawn(connection);
    let request = http::Request::get("http://x/livez").body(http_body_util::Empty::new()).unwrap();
    assert_eq!(h2.send_request(request).await.unwrap().status(), 200);
    // A connection that sends nothing.
    let mut silent = TcpStream::connect(&process.address).await.unwrap();

    let (code, log) = process.terminate();
    assert_eq!(code, Some(0), "{log:?}");
    assert!(!log.iter().any(|line| line.contains("exceeded the shutdown timeout")), "{log:?}");
    assert_eq!(first_line(&mut kept_alive).await, "");
    assert_eq!(silent.read(&mut [0; 9]).await.unwrap_or(0), 0);
    // The service sent GOAWAY without an error.
    ended.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_in_progress_is_answered() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--shutdown-grace", ONE_HOUR]);
    let body = br#"{"gameId":"angels-and-demons"}"#;
    let head = format!(
        "POST /v1/matches HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    let mut connection = TcpStream::connect(&process.address).await.unwrap();
    connection.write_all(head.as_bytes()).await.unwrap();
    // The service waits for the body.
    assert_eq!(first_line(&mut connection).await, "HTTP/1.1 100 Continue");
    connection.write_all(&body[..9]).await.unwrap();
    process.signal("-TERM");
    // Wait until the listener is closed.
    while TcpStream::connect(&process.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    connection.write_all(&body[9..]).await.unwrap();
    assert_eq!(first_line(&mut connection).await, "HTTP/1.1 200 OK");
    assert_eq!({ process }.wait().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unread_response_is_cut_off_at_the_shutdown_timeout() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--shutdown-grace", "300ms"]);
    // The window is smaller than the response, which is not read: the rest waits in the service.
    let endpoint = Endpoint::from_shared(format!("http://{}", process.address)).unwrap();
    let channel = endpoint.initial_stream_window_size(1024).connect().await.unwrap();
    let mut grpc = tonic::client::Grpc::new(channel);
    grpc.ready().await.unwrap();
    let path = "/matchbook.v1.GameService/GetGame".parse().unwrap();
    let request = Request::new(v1::GetGameRequest { game_id: "cresnovian-chess".to_owned() });
    let codec = ProstCodec::<v1::GetGameRequest, v1::GetGameResponse>::default();
    let _unread = grpc.server_streaming(request, path, codec).await.unwrap();
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    assert!(log.iter().any(|line| line.contains("exceeded the shutdown timeout")), "{log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_stream_ends_as_retryable() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--shutdown-grace", ONE_HOUR]);
    let client = Client::of(&process.address).await;
    let table = client.table(8, 8, 20).await;
    let mut watch = client.watch(&table.match_id, None, None).await.unwrap();
    watch.next().await.unwrap().unwrap();
    let http = Http::of(&process.address);
    let target = format!("/v1/matches/{}/watch", table.match_id);
    let sse = http.open(Method::GET, &target, &[("accept", "text/event-stream")], "").await;
    let mut health = HealthClient::new(connect(&process.address).await);
    let mut health = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(health.next().await.unwrap().unwrap().status(), ServingStatus::Serving);
    process.signal("-TERM");

    let end = watch.next().await.unwrap().unwrap_err();
    let retry = tonic_types::StatusExt::get_details_retry_info(&end).unwrap();
    assert_eq!(retry.retry_delay, Some(Duration::from_secs(1)));
    let text = http_body_util::BodyExt::collect(sse.into_body()).await.unwrap().to_bytes();
    let text = std::str::from_utf8(&text).unwrap();
    let (_, last) = text.trim_end().rsplit_once("\n\n").unwrap();
    assert!(last.starts_with("retry: 1000\nevent: error\n"), "{last}");
    assert_eq!(health.next().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    assert_eq!(health.next().await.unwrap().unwrap_err().code(), tonic::Code::Unavailable);
    assert_eq!({ process }.wait().0, Some(0));
}

/// One of two replicas stops: a client that retries and resumes as documented loses no move and no event.
#[tokio::test(flavor = "multi_thread")]
async fn another_replica_takes_over() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let leaving = Process::serve(&storage, &["--drain", "200ms"]);
    let staying = Process::serve(&storage, &[]);
    let client = Client::of(&leaving.address).await;
    let table = client.table(8, 8, 20).await;
    let mut watch = client.watch(&table.match_id, Some(4), None).await.unwrap();
    client.submit(&table, 0, "1,1").await.unwrap();
    let held = connect(&leaving.address).await;
    let held = tokio::spawn(async move { unfinished(held, "GetView").await });
    leaving.signal("-TERM");
    let other = Client::of(&staying.address).await;
    let (mut seen, mut moves, mut current) = (4, 1, client.clone());
    while moves < 10 {
        let request = submit_request(&table, format!("{},{}", 1 + moves / 2, 1 + moves / 2));
        let token = Some(table.tokens[moves % 2].as_str());
        // Retry with the same request_id on the other replica.
        if current.matches.submit_move(sent(request.clone(), token)).await.is_err() {
            current = other.clone();
            current.matches.submit_move(sent(request, token)).await.unwrap();
        }
        moves += 1;
    }
    loop {
        match watch.next().await {
            Some(Ok(v1::WatchMatchResponse { frame: Some(Frame::Event(event)), .. })) => {
                assert_eq!(event.seq, seen + 1);
                seen = event.seq;
            }
            Some(Ok(_)) => {}
            _ => watch = other.watch(&table.match_id, Some(seen), None).await.unwrap(),
        }
        if seen == 4 + 10 + 5 {
            break;
        }
    }
    held.abort();
    assert_eq!({ leaving }.wait().0, Some(0));
    assert_eq!(staying.terminate().0, Some(0));
}
