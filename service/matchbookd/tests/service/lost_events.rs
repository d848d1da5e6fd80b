//! Events that the database lost: watches that showed them end with a refusal, over both doors.

use http::Method;
use http_body_util::BodyExt;
use serde_json::Value;
use tokio_stream::StreamExt;
use tonic::Code;
use wire::v1;

use crate::stage::{Backend, Client, Http, Process, Storage, refused};

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
