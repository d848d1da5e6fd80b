//! More than a replica takes: it says so at once and when to come back.

use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use wire::v1::GetMatchRequest;

use crate::stage::{Backend, Stage, Storage, refused, unfinished};

#[tokio::test]
async fn one_watch_too_many() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_watches = 2;
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let first = stage.client.watch(&table.match_id, None, None).await.unwrap();
    let _second = stage.client.watch(&table.match_id, None, None).await.unwrap();
    let third = refused(stage.client.watch(&table.match_id, None, None).await);
    assert!(third.retry_after.is_some());
    third.is("too_many_streams", Code::ResourceExhausted, "streams");
    // A place becomes free once the service has seen that its watcher is gone.
    drop(first);
    while stage.client.watch(&table.match_id, None, None).await.is_err() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}

#[tokio::test]
async fn a_wait_that_is_too_long() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.call_timeout_ms = 20;
    let stage = Stage::with(config).await;
    for (method, reason, code) in [
        ("SubmitMove", "outcome_unknown", Code::DeadlineExceeded),
        ("CreateMatch", "outcome_unknown", Code::DeadlineExceeded),
        ("ClaimSeat", "outcome_unknown", Code::DeadlineExceeded),
        ("GetView", "overloaded", Code::ResourceExhausted),
    ] {
        let late = refused(unfinished(stage.connect().await, method).await);
        assert!(late.retry_after.is_some());
        late.is(reason, code, "timed out");
    }
    stage.close().await;
}

#[tokio::test]
async fn more_calls_than_places() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_calls = 1;
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;

    let mut inside = tokio::spawn(unfinished(stage.connect().await, "GetView"));
    let mut matches = stage.client.matches.clone();
    let request = GetMatchRequest { match_id: table.match_id.clone() };
    // It takes the only place as soon as the service has seen it.
    let full = loop {
        if let Err(status) = matches.get_match(request.clone()).await {
            break refused::<()>(Err(status));
        }
        // It came while the other was inside, and was refused itself.
        if inside.is_finished() {
            inside = tokio::spawn(unfinished(stage.connect().await, "GetView"));
        }
    };
    assert!(full.retry_after.is_some());
    full.is("overloaded", Code::ResourceExhausted, "limit of concurrent calls");
    HealthClient::new(stage.connect().await).check(HealthCheckRequest::default()).await.unwrap();

    inside.abort();
    while matches.get_match(request.clone()).await.is_err() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}
