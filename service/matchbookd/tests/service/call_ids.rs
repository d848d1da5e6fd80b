//! The id of a call: in every response, successful or not, over gRPC and REST, and in the log.

use http::Method;
use serde_json::{Value, json};
use wire::v1::{GetMatchRequest, ListGamesRequest};

use crate::stage::{Backend, Client, Http, Process, Stage, Storage};

/// The response header, and metadata, with the id.
const HEADER: &str = "matchbook-call-id";

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

fn traceparent() -> String {
    format!("00-{TRACE}-00f067aa0ba902b7-01")
}

#[tokio::test]
async fn every_response_names_its_call() {
    let stage = Stage::on(Backend::Memory).await;
    let id = stage.client.table(3, 3, 1).await.match_id;
    let http = Http::of(&stage.address);
    let mut ids = Vec::new();
    for target in [
        "/v1/games",
        "/v1/games/go",
        "/v1/nothing",
        "/v1/games?nope=1",
        "/livez",
        "/metrics",
        "/openapi.json",
        &format!("/v1/matches/{id}/board.svg"),
        &format!("/v1/matches/{id}/log"),
    ] {
        let answer = http.get(target, &[]).await;
        assert_eq!(answer.headers.get_all(HEADER).iter().count(), 1, "{target}");
        ids.push(answer.header(HEADER).to_owned());
    }
    let not_json = http.send(Method::POST, "/v1/matches", &[("content-type", "application/json")], "{").await;
    not_json.refused(400, "INVALID_ARGUMENT");
    ids.push(not_json.header(HEADER).to_owned());

    let listed = stage.client.games.clone().list_games(ListGamesRequest::default()).await.unwrap();
    ids.push(listed.metadata().get(HEADER).unwrap().to_str().unwrap().to_owned());
    let unknown = GetMatchRequest { match_id: "nonsense".to_owned() };
    let refused = stage.client.matches.clone().get_match(unknown).await.unwrap_err();
    ids.push(refused.metadata().get(HEADER).unwrap().to_str().unwrap().to_owned());
    let watch = stage.client.matches.clone();
    let watch = watch
        .clone()
        .watch_match(wire::v1::WatchMatchRequest {
            match_id: id,
            after_seq: None,
            include_view: false,
            after_hash: None,
        })
        .await;
    ids.push(watch.unwrap().metadata().get(HEADER).unwrap().to_str().unwrap().to_owned());

    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "each call has its own id: {ids:?}");
    stage.close().await;
}

#[tokio::test]
async fn a_callers_trace_is_the_id() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let header = traceparent();
    for target in ["/v1/games", "/v1/games/go", "/v1/nothing", "/livez"] {
        let answer = http.get(target, &[("traceparent", &header)]).await;
        assert_eq!(answer.header(HEADER), TRACE, "{target}");
        let answer = http.get(target, &[("traceparent", "00-nonsense")]).await;
        assert_ne!(answer.header(HEADER), "", "{target}");
    }
    let mut request = tonic::Request::new(ListGamesRequest::default());
    request.metadata_mut().insert("traceparent", header.parse().unwrap());
    let listed = stage.client.games.clone().list_games(request).await.unwrap();
    assert_eq!(listed.metadata().get(HEADER).unwrap(), TRACE);
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_the_id_of_each_call() {
    let storage = Storage::here(Backend::Memory).await;
    let process = Process::serve(&storage, &["--log", "debug", "--log-format", "json"]);
    let http = Http::of(&process.address);
    let called = http.get("/v1/games", &[]).await.header(HEADER).to_owned();
    let traced = http.get("/v1/games", &[("traceparent", &traceparent())]).await.header(HEADER).to_owned();
    let body = json!({"gmae": "go"});
    let rejected = http.post("/v1/matches", &[], &body).await;
    rejected.refused(400, "INVALID_ARGUMENT");
    let rejected = rejected.header(HEADER).to_owned();
    let client = Client::of(&process.address).await;
    let listed = client.games.clone().list_games(ListGamesRequest::default()).await.unwrap();
    let by_grpc = listed.metadata().get(HEADER).unwrap().to_str().unwrap().to_owned();
    let (code, lines) = process.terminate();
    assert_eq!((code, traced.as_str()), (Some(0), TRACE));

    let lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for id in [called, traced, by_grpc] {
        let of_call = |line: &&Value| line["span"]["call.id"] == id.as_str() && line["code"] == "OK";
        assert_eq!(lines.iter().filter(of_call).count(), 1, "{id}: {lines:?}");
    }
    let of_request = |line: &&Value| line["call.id"] == rejected.as_str() && line["http.status"] == 400;
    assert_eq!(lines.iter().filter(of_request).count(), 1, "{lines:?}");
}
