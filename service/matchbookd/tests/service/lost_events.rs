//! Events that the database lost: watches that showed them end with a refusal, over both doors.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use http_body_util::BodyExt;
use serde_json::Value;
use tokio_stream::StreamExt;
use tonic::Code;
use wire::v1;

use crate::stage::{Backend, Client, Http, Process, Stage, Storage, refused};

/// Removes a match's events from `first` on, and the commits that wrote them, as a failover does to a standby
/// that lagged.
async fn lose_from(storage: &Storage, match_id: &str, first: u32) {
    let lost = format!(
        "ALTER TABLE event DISABLE TRIGGER ALL;
         DELETE FROM commit_log c USING (
             SELECT writer, min(batch) AS batch FROM event
             WHERE match_id = '{match_id}' AND seq >= {first} GROUP BY writer) AS lost
         WHERE c.writer = lost.writer AND c.batch >= lost.batch;
         DELETE FROM event WHERE match_id = '{match_id}' AND seq >= {first};
         ALTER TABLE event ENABLE TRIGGER ALL"
    );
    storage.execute(&lost).await;
}

/// Returns the error in the last line of a watch over REST.
async fn last_error(http: Http, path: &str) -> Value {
    let response = http.open(Method::GET, path, &[], "").await;
    let text = response.into_body().collect().await.unwrap().to_bytes();
    let last = text.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty()).unwrap();
    serde_json::from_slice::<Value>(last).unwrap()["error"].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn watches_of_lost_events_end_with_a_refusal() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let (writing, watching) = (Process::serve(&storage, &[]), Process::serve(&storage, &[]));
    let player = Client::of(&writing.address).await;
    let table = player.table(3, 3, 4).await;
    player.turn(&table, "1,1", "3,3").await;

    let watcher = Client::of(&watching.address).await;
    let mut frames = watcher.watch(&table.match_id, Some(4), None).await.unwrap();
    // The start, and the three events of the turn.
    for _ in 0..4 {
        frames.next().await.unwrap().unwrap();
    }
    let path = format!("/v1/matches/{}/watch", table.match_id);
    let http = Http::of(&watching.address);
    let over_rest = tokio::spawn(async move { last_error(http, &path).await });
    let request = v1::GetMatchRequest { match_id: table.match_id.clone() };
    while watcher.matches.clone().get_match(request.clone()).await.unwrap().get_ref().spectator_count < 2 {
        tokio::task::yield_now().await;
    }
    lose_from(&storage, &table.match_id, 7).await;

    let ended = loop {
        let frame = frames.next().await.expect("the watch ends with a refusal");
        if frame.is_err() {
            break refused(frame);
        }
    };
    assert_eq!((ended.reason.as_str(), ended.code), ("HISTORY_CHANGED", Code::DataLoss));
    let error = over_rest.await.unwrap();
    let over_rest = (error["code"].as_u64().unwrap(), error["reason"].as_str().unwrap());
    assert_eq!(over_rest, (409, "HISTORY_CHANGED"), "{error}");
    watching.kill();
    writing.kill();
}

/// Watches over gRPC after an event with this hash; returns the refusal's reason.
async fn reason_over_grpc(client: &Client, request: v1::WatchMatchRequest) -> Option<String> {
    let watch = client.matches.clone().watch_match(request).await;
    watch.is_err().then(|| refused(watch).reason)
}

/// Watches over REST after an event with this hash; returns the refusal's status and reason.
async fn reason_over_rest(http: &Http, match_id: &str, query: &str) -> (u16, Value) {
    let response = http.get(&format!("/v1/matches/{match_id}/watch?{query}"), &[]).await;
    let body = if response.status == 200 { Value::Null } else { response.json() };
    (response.status.as_u16(), body["error"]["reason"].clone())
}

/// Returns bytes as a query's value in base64.
fn query_value(bytes: &[u8]) -> String {
    STANDARD.encode(bytes).replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

#[tokio::test]
async fn a_watch_resumes_only_after_the_event_that_was_seen() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    stage.client.turn(&table, "1,1", "3,3").await;
    let http = Http::of(&stage.address);
    let hash = stage.client.events(&table.match_id, None, 500).await[4].hash.clone();
    let with = |after_seq: Option<u32>, hash: &[u8]| v1::WatchMatchRequest {
        match_id: table.match_id.clone(),
        after_seq,
        after_hash: Some(hash.to_vec()),
        ..Default::default()
    };
    for (seq, hash, status, reason) in [
        (5, hash.as_slice(), 200, None),
        (6, &hash, 409, Some("HISTORY_CHANGED")),
        (9999, &hash, 409, Some("HISTORY_CHANGED")),
        (0, &hash, 400, Some("INVALID_ARGUMENT")),
        (5, &hash[1..], 400, Some("INVALID_ARGUMENT")),
    ] {
        assert_eq!(reason_over_grpc(&stage.client, with(Some(seq), hash)).await.as_deref(), reason, "{seq}");
        let query = format!("afterSeq={seq}&afterHash={}", query_value(hash));
        let expected = (status, reason.map_or(Value::Null, Value::from));
        assert_eq!(reason_over_rest(&http, &table.match_id, &query).await, expected, "{query}");
    }
    let mistyped = stage.client.matches.clone().watch_match(with(Some(6), &hash)).await;
    refused(mistyped).is("HISTORY_CHANGED", Code::DataLoss, "no event 6 with this hash; check after_seq");
    let query = format!("afterHash={}", query_value(&hash));
    let (status, reason) = reason_over_rest(&http, &table.match_id, &query).await;
    assert_eq!((status, reason), (400, "INVALID_ARGUMENT".into()), "no seq");
    // An EventSource repeats its old URL, whose hash is that of an older event.
    let path = format!("/v1/matches/{}/watch?afterSeq=5&afterHash={}", table.match_id, query_value(&hash));
    let again = http.get(&path, &[("last-event-id", "6")]).await;
    assert_eq!(again.status, 200, "{again:?}");
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_resumes_after_a_lost_event_is_told_over_both_doors() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let (writing, resuming) = (Process::serve(&storage, &[]), Process::serve(&storage, &[]));
    let player = Client::of(&writing.address).await;
    let table = player.table(3, 3, 4).await;
    player.turn(&table, "1,1", "3,3").await;
    let watcher = Client::of(&resuming.address).await;
    // The resuming replica has the lost events in memory.
    let seen = watcher.events(&table.match_id, None, 500).await;
    lose_from(&storage, &table.match_id, 6).await;
    let http = Http::of(&resuming.address);
    for event in &seen[4..] {
        let request = v1::WatchMatchRequest {
            match_id: table.match_id.clone(),
            after_seq: Some(event.seq),
            after_hash: Some(event.hash.clone()),
            ..Default::default()
        };
        let lost = (event.seq > 5).then_some("HISTORY_CHANGED");
        assert_eq!(reason_over_grpc(&watcher, request).await.as_deref(), lost, "after event {}", event.seq);
        if lost.is_some() {
            let query = format!("afterSeq={}&afterHash={}", event.seq, query_value(&event.hash));
            let (status, reason) = reason_over_rest(&http, &table.match_id, &query).await;
            assert_eq!((status, reason), (409, "HISTORY_CHANGED".into()));
        }
    }
    resuming.kill();
    writing.kill();
}
