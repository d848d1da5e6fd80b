//! An overloaded replica refuses calls at once and says when to retry.

use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use wire::v1::GetMatchRequest;

use crate::stage::{Backend, Stage, Storage, refused, unfinished};

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
    // The permit is released once the service notices that the watcher is gone.
    drop(first);
    while stage.client.watch(&table.match_id, None, None).await.is_err() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}

#[tokio::test]
async fn calls_beyond_the_timeout_fail() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.call_timeout_ms = 20;
    let stage = Stage::with(config).await;
    for (method, reason, code) in [
        ("SubmitMove", "OUTCOME_UNKNOWN", Code::DeadlineExceeded),
        ("CreateMatch", "OUTCOME_UNKNOWN", Code::DeadlineExceeded),
        ("ClaimSeat", "OUTCOME_UNKNOWN", Code::DeadlineExceeded),
        ("GetView", "OVERLOADED", Code::ResourceExhausted),
    ] {
        let late = refused(unfinished(stage.connect().await, method).await);
        assert!(late.retry_after.is_some());
        late.is(reason, code, "timed out");
    }
    stage.close().await;
}

#[tokio::test]
async fn calls_beyond_the_limit_are_refused() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_calls = 1;
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;

    let mut held = tokio::spawn(unfinished(stage.connect().await, "GetView"));
    let mut matches = stage.client.matches.clone();
    let request = GetMatchRequest { match_id: table.match_id.clone() };
    // The unfinished call takes the only permit as soon as it arrives.
    let full = loop {
        if let Err(status) = matches.get_match(request.clone()).await {
            break refused::<()>(Err(status));
        }
        // The unfinished call arrived while `get_match` held the permit, and was refused itself.
        if held.is_finished() {
            held = tokio::spawn(unfinished(stage.connect().await, "GetView"));
        }
    };
    assert!(full.retry_after.is_some());
    full.is("OVERLOADED", Code::ResourceExhausted, "limit of concurrent calls");
    HealthClient::new(stage.connect().await).check(HealthCheckRequest::default()).await.unwrap();

    held.abort();
    while matches.get_match(request.clone()).await.is_err() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}
