//! An overloaded replica refuses calls at once and says when to retry.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use event::{MatchId, RecordTime};
use journal::Journal;
use play::{Environment, SystemEnvironment};
use serde_json::json;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use uuid::Uuid;
use wire::v1::GetMatchRequest;

use crate::stage::{Backend, GAME, Http, Stage, Storage, create_request, refused, unfinished};

#[tokio::test]
async fn watches_beyond_the_limit_are_refused() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_watches = 2;
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let first = stage.client.watch(&table.match_id, None, None).await.unwrap();
    let _second = stage.client.watch(&table.match_id, None, None).await.unwrap();
    let third = refused(stage.client.watch(&table.match_id, None, None).await);
    assert!(third.retry_after.is_some());
    third.is("TOO_MANY_STREAMS", Code::ResourceExhausted, "streams");
    let target = format!("/v1/matches/{}/watch", table.match_id);
    Http::of(&stage.address).get(&target, &[]).await.refused(429, "TOO_MANY_STREAMS");
    // The permit is released once the service notices that the watcher is gone.
    drop(first);
    while stage.client.watch(&table.match_id, None, None).await.is_err() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}

#[tokio::test]
async fn a_message_that_never_arrives_is_refused() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.body_timeout = Duration::from_millis(20);
    let stage = Stage::with(config).await;
    for method in ["SubmitMove", "CreateMatch", "ClaimSeat", "GetView"] {
        let late = refused(unfinished(stage.connect().await, method).await);
        late.is("INVALID_ARGUMENT", Code::InvalidArgument, "did not arrive within 20 ms");
    }
    stage.close().await;
}

/// A clock that does not answer until the test drops the sender.
struct HeldClock(Mutex<Receiver<()>>);

impl Environment for HeldClock {
    fn now(&self, journal: &Journal) -> RecordTime {
        // What was woken on this worker must not wait with it.
        let _ = tokio::task::block_in_place(|| self.0.lock().unwrap().recv());
        SystemEnvironment.now(journal)
    }

    fn secret(&self) -> [u8; 32] {
        SystemEnvironment.secret()
    }

    fn new_match_id(&self) -> MatchId {
        SystemEnvironment.new_match_id()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn a_change_beyond_the_timeout_may_have_taken_effect() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.call_timeout = Duration::from_millis(20);
    let (release, held) = mpsc::channel();
    let stage = Stage::within(config, HeldClock(Mutex::new(held))).await;
    let late = refused(stage.client.matches.clone().create_match(create_request(Default::default())).await);
    late.is("OUTCOME_UNKNOWN", Code::DeadlineExceeded, "timed out");
    let http = Http::of(&stage.address);
    http.post("/v1/matches", &[], &json!({"gameId": GAME})).await.refused(504, "OUTCOME_UNKNOWN");
    drop(release);
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn calls_beyond_the_limit_are_refused() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_calls = 1;
    let (release, held) = mpsc::channel();
    let stage = Stage::within(config, HeldClock(Mutex::new(held))).await;

    let mut creator = stage.client.matches.clone();
    let create = tokio::spawn(async move { creator.create_match(create_request(Default::default())).await });
    let mut matches = stage.client.matches.clone();
    let request = GetMatchRequest { match_id: MatchId(Uuid::nil()).to_string() };
    // The held call takes the only permit as soon as it arrives.
    let full = loop {
        let refusal = refused(matches.get_match(request.clone()).await);
        if refusal.reason == "OVERLOADED" {
            break refusal;
        }
    };
    assert!(full.retry_after.is_some());
    full.is("OVERLOADED", Code::Unavailable, "limit of concurrent calls");
    HealthClient::new(stage.connect().await).check(HealthCheckRequest::default()).await.unwrap();

    drop(release);
    create.await.unwrap().unwrap();
    refused(matches.get_match(request).await).is("UNKNOWN_MATCH", Code::NotFound, "match");
    stage.close().await;
}
