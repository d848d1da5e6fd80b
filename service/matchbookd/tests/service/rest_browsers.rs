//! Calls from browsers: CORS and gRPC-Web.

use http::Method;
use prost::Message;
use wire::v1::{ListGamesRequest, ListGamesResponse};

use crate::stage::{Answer, Backend, Http, Stage, Storage};

const ORIGIN: (&str, &str) = ("origin", "https://play.example");

async fn stage(origins: &str) -> (Stage, Http) {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.cors_origins = origins.parse().unwrap();
    let stage = Stage::with(config).await;
    let http = Http::of(&stage.address);
    (stage, http)
}

async fn preflight(http: &Http, origin: (&str, &str)) -> Answer {
    let headers = [
        origin,
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization, matchbook-seat-token, idempotency-key"),
    ];
    http.send(Method::OPTIONS, "/v1/matches", &headers, "").await
}

#[tokio::test]
async fn pages_of_allowed_origins_may_call() {
    let (stage, http) = stage("https://play.example,http://localhost:5173").await;
    let preflighted = preflight(&http, ORIGIN).await;
    assert_eq!(preflighted.status, 200);
    assert_eq!(preflighted.header("access-control-allow-origin"), ORIGIN.1);
    assert_eq!(
        preflighted.header("access-control-allow-headers"),
        "authorization, matchbook-seat-token, idempotency-key"
    );
    assert!(preflighted.header("access-control-allow-methods").contains("POST"));
    let called = http.get("/v1/games", &[ORIGIN]).await;
    assert_eq!(called.header("access-control-allow-origin"), ORIGIN.1);
    for exposed in ["etag", "retry-after", "www-authenticate", "matchbook-call-id"] {
        assert!(called.header("access-control-expose-headers").contains(exposed), "{exposed}");
    }
    let refused = http.get("/v1/games/go", &[ORIGIN]).await;
    assert_eq!((refused.status.as_u16(), refused.header("access-control-allow-origin")), (404, ORIGIN.1));
    for other in [("origin", "https://evil.example"), ("origin", "null")] {
        assert_eq!(preflight(&http, other).await.header("access-control-allow-origin"), "");
        assert_eq!(http.get("/v1/games", &[other]).await.header("access-control-allow-origin"), "");
    }
    let options = http.send(Method::OPTIONS, "/v1/games", &[ORIGIN], "").await;
    assert_eq!(options.header("allow"), "GET, HEAD, OPTIONS", "not a preflight request");
    stage.close().await;
}

#[tokio::test]
async fn without_configuration_no_origin_is_allowed() {
    let (stage, http) = stage("").await;
    assert_eq!(preflight(&http, ORIGIN).await.header("access-control-allow-origin"), "");
    assert_eq!(http.get("/v1/games", &[ORIGIN]).await.header("access-control-allow-origin"), "");
    stage.close().await;
}

/// Encodes a gRPC frame: flag, length, message.
fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[0], &length[..], message].concat()
}

/// Decodes a gRPC-Web body into its message, if there is one, and its trailers.
fn unframed(mut body: &[u8]) -> (Vec<u8>, String) {
    let (mut message, mut trailers) = (Vec::new(), String::new());
    while let [flag, a, b, c, d, rest @ ..] = body {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        match flag {
            0x80 => trailers = String::from_utf8(rest[..length].to_vec()).unwrap(),
            _ => message = rest[..length].to_vec(),
        }
        body = &rest[length..];
    }
    (message, trailers)
}

#[tokio::test]
async fn grpc_web_is_served_over_http_1() {
    let (stage, http) = stage("*").await;
    let headers = [ORIGIN, ("content-type", "application/grpc-web+proto"), ("x-grpc-web", "1")];
    let body = framed(&ListGamesRequest::default().encode_to_vec());
    let response = http.send(Method::POST, "/matchbook.v1.GameService/ListGames", &headers, body).await;
    assert_eq!(response.header("content-type"), "application/grpc-web+proto");
    assert_eq!(response.header("access-control-allow-origin"), "*");
    let (message, trailers) = unframed(&response.body);
    assert_eq!(ListGamesResponse::decode(message.as_slice()).unwrap().games.len(), 4);
    assert!(trailers.contains("grpc-status:0"), "{trailers}");

    let body = framed(&wire::v1::GetGameRequest { game_id: "go".to_owned() }.encode_to_vec());
    let response = http.send(Method::POST, "/matchbook.v1.GameService/GetGame", &headers, body).await;
    let (_, trailers) = unframed(&response.body);
    let statuses = format!("{}{trailers}", response.header("grpc-status"));
    assert!(statuses.contains('5'), "NOT_FOUND, in the headers or in the last frame: {statuses}");
    stage.close().await;
}
