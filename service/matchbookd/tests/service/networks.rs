//! A /48 of IPv6 holds 65 536 networks that each count as an address. Its holder gets more than an address
//! does, and not 65 536 times as much.

use serde_json::json;
use tonic::{Code, Request};
use wire::v1::{CreateMatchRequest, ForkMatchRequest, WatchMatchRequest};

use crate::rate_limits::behind_a_proxy;
use crate::stage::{Backend, Http, Stage, Storage, refused};

/// Returns an address of one of the networks.
fn address(network: u16, subnet: u16) -> String {
    format!("2001:db8:{network:x}:{subnet:x}::1")
}

fn from<T>(message: T, address: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("x-forwarded-for", address.parse().unwrap());
    request
}

#[tokio::test]
async fn the_forks_of_one_ipv6_network_store_a_bounded_number_of_bytes_per_hour() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.fork_bytes_per_hour = 1;
    let stage = Stage::with(config).await;
    let create = CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
    let created = stage.client.matches.clone().create_match(create).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    for seat in [0, 1] {
        stage.client.claim(&match_id, seat, "Ada").await.unwrap();
    }
    let fork = async |address: String| {
        let request = ForkMatchRequest { match_id: match_id.clone(), ..Default::default() };
        stage.client.matches.clone().fork_match(from(request, &address)).await
    };
    fork(address(1, 1)).await.unwrap();
    let refusal = refused(fork(address(1, 2)).await);
    assert!(refusal.retry_after.is_some());
    refusal
        .is("RATE_LIMITED", Code::ResourceExhausted, "or those of its network")
        .has("fork_bytes_per_hour", 1);
    let http = Http::of(&stage.address);
    let target = format!("/v1/matches/{match_id}:fork");
    let refusal = http.post(&target, &[("x-forwarded-for", &address(1, 3))], &json!({})).await;
    refusal.refused(429, "RATE_LIMITED");
    let elsewhere = http.post(&target, &[("x-forwarded-for", &address(2, 1))], &json!({})).await;
    assert_eq!(elsewhere.status, 200);
    // IPv4 has no wider network: a neighbour is somebody else.
    fork("192.0.2.1".to_owned()).await.unwrap();
    fork("192.0.2.2".to_owned()).await.unwrap();
    stage.close().await;
}

#[tokio::test]
async fn the_watches_of_one_ipv6_network_are_as_many_as_those_of_eight_callers() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.max_watches_per_caller = 1;
    let stage = Stage::with(config).await;
    let match_id = stage.client.table(3, 3, 1).await.match_id;
    let watch = async |address: String| {
        let request = WatchMatchRequest { match_id: match_id.clone(), ..Default::default() };
        stage.client.matches.clone().watch_match(from(request, &address)).await
    };
    let mut watches = Vec::new();
    for subnet in 0..8 {
        watches.push(watch(address(1, subnet)).await.unwrap());
    }
    let refusal = refused(watch(address(1, 8)).await);
    assert!(refusal.retry_after.is_some());
    refusal.is("TOO_MANY_STREAMS", Code::ResourceExhausted, "this caller's network has 8 open watches");
    let http = Http::of(&stage.address);
    let target = format!("/v1/matches/{match_id}/watch");
    http.get(&target, &[("x-forwarded-for", &address(1, 9))]).await.refused(429, "TOO_MANY_STREAMS");
    let _elsewhere = watch(address(2, 0)).await.unwrap();
    stage.close().await;
}

#[tokio::test]
async fn the_matches_that_one_ipv6_network_watches_leave_room_for_those_of_others() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.max_live_bytes = 64 << 10;
    let stage = Stage::with(config).await;
    let watch = async |address: String| {
        let match_id = stage.client.table(3, 3, 1).await.match_id;
        let request = WatchMatchRequest { match_id, ..Default::default() };
        stage.client.matches.clone().watch_match(from(request, &address)).await
    };
    let mut watches = Vec::new();
    // Each address watches one match, which alone is always within its share.
    let refusal = loop {
        match watch(address(1, u16::try_from(watches.len()).unwrap())).await {
            Ok(watch) => watches.push(watch),
            Err(status) => break refused(Err::<(), _>(status)),
        }
        assert!(watches.len() < 100, "no watch was refused");
    };
    refusal.is("TOO_MANY_STREAMS", Code::ResourceExhausted, "close a watch first");
    let _elsewhere = watch(address(2, 0)).await.unwrap();
    stage.close().await;
}
