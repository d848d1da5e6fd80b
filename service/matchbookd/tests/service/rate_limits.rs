//! Rate limits: each caller has its own budget and learns when to retry; calls from this machine have no
//! limit.

use play::{ApiKey, KeyRing, Role};
use serde_json::json;
use server::{Config, ForwardedHeader, TrustedProxies};
use tonic::{Code, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use uuid::Uuid;
use wire::v1::{CreateMatchRequest, ForkMatchRequest, ListGamesRequest, WatchMatchRequest};

use crate::stage::{Backend, Client, Http, Stage, Storage, grpc_json, refused, sent_with};

/// More calls than any limit of these tests allows, however slow the machine.
const MANY: usize = 10_000;

/// Returns a configuration that trusts this machine as a proxy, so that tests can call from any address.
pub(crate) async fn behind_a_proxy(storage: &Storage) -> Config {
    let mut config = storage.config();
    let networks = vec!["127.0.0.0/8".parse().unwrap()];
    config.trusted_proxies = TrustedProxies { networks, header: ForwardedHeader::XForwardedFor };
    config
}

/// Wraps a message in a request as the proxy forwards it.
fn from<T>(message: T, address: &str, credential: Option<&str>) -> Request<T> {
    from_with(message, address, credential.as_slice())
}

/// Wraps a message with several credentials in a request as the proxy forwards it.
fn from_with<T>(message: T, address: &str, credentials: &[&str]) -> Request<T> {
    let mut request = sent_with(message, credentials);
    request.metadata_mut().insert("x-forwarded-for", address.parse().unwrap());
    request
}

async fn list(client: &Client, address: &str, token: Option<&str>) -> Result<(), Status> {
    client.games.clone().list_games(from(ListGamesRequest::default(), address, token)).await.map(drop)
}

/// Calls until refused; returns the number of successful calls and the refusal.
async fn exhaust(client: &Client, address: &str, token: Option<&str>) -> (usize, Status) {
    for passed in 0..MANY {
        if let Err(status) = list(client, address, token).await {
            return (passed, status);
        }
    }
    panic!("{MANY} calls from {address} succeeded")
}

#[tokio::test]
async fn an_address_is_rate_limited() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.calls_per_second_per_address = 1;
    config.limits.call_burst_per_address = 5;
    let stage = Stage::with(config).await;
    let client = &stage.client;
    let (passed, status) = exhaust(client, "192.0.2.7", None).await;
    assert!(passed >= 5, "{passed}");
    let refusal = refused::<()>(Err(status));
    assert!(refusal.retry_after.is_some());
    refusal.is("RATE_LIMITED", Code::ResourceExhausted, "this address").has("calls_per_second", 1);

    list(client, "192.0.2.8", None).await.unwrap();
    exhaust(client, "2001:db8:0:1::1", None).await;
    // Another address of the same /64, then another /64.
    exhaust(client, "2001:db8:0:1::2", None).await;
    list(client, "2001:db8:0:2::1", None).await.unwrap();
    // Addresses that the caller adds on the left are ignored.
    let (_, status) = exhaust(client, "198.51.100.1, 192.0.2.7", None).await;
    refused::<()>(Err(status)).is("RATE_LIMITED", Code::ResourceExhausted, "this address");
    let http = Http::of(&stage.address);
    http.get("/v1/games", &[("x-forwarded-for", "192.0.2.7")]).await.refused(429, "RATE_LIMITED");

    // Health checks and calls from this machine itself are never limited.
    let mut health = HealthClient::new(stage.connect().await);
    for _ in 0..100 {
        health.check(from(HealthCheckRequest::default(), "192.0.2.7", None)).await.unwrap();
        client.games.clone().list_games(ListGamesRequest::default()).await.unwrap();
    }
    stage.close().await;
}

#[tokio::test]
async fn a_caller_is_rate_limited() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    config.api_keys = KeyRing::new(vec![key]).unwrap();
    config.limits.calls_per_second_per_caller = 1;
    config.limits.call_burst_per_caller = 3;
    config.limits.calls_per_second_per_address = 1;
    config.limits.call_burst_per_address = 20;
    let stage = Stage::with(config).await;
    let client = &stage.client;

    let (passed, status) = exhaust(client, "192.0.2.7", Some("mbs_somebody")).await;
    assert!(passed >= 3, "{passed}");
    refused::<()>(Err(status)).is("RATE_LIMITED", Code::ResourceExhausted, "this caller");
    list(client, "192.0.2.7", Some("mbs_another")).await.unwrap();
    list(client, "192.0.2.7", None).await.unwrap();

    // A known API key has its own budget at every address; an unknown one uses the address's.
    exhaust(client, "192.0.2.9", None).await;
    list(client, "192.0.2.9", Some(&secret)).await.unwrap();
    exhaust(client, "192.0.2.9", Some(&secret)).await;
    let (_, status) = exhaust(client, "192.0.2.10", Some(&secret)).await;
    refused::<()>(Err(status)).is("RATE_LIMITED", Code::ResourceExhausted, "this caller");
    let (_, status) = exhaust(client, "192.0.2.9", Some("mbk_unknown")).await;
    refused::<()>(Err(status)).is("RATE_LIMITED", Code::ResourceExhausted, "this address");
    stage.close().await;
}

#[tokio::test]
async fn a_seat_counts_under_the_api_key_that_comes_with_its_token() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    config.api_keys = KeyRing::new(vec![key]).unwrap();
    config.limits.calls_per_second_per_caller = 1;
    config.limits.call_burst_per_caller = 3;
    config.limits.calls_per_second_per_address = 1;
    config.limits.call_burst_per_address = 4;
    let stage = Stage::with(config).await;
    let list = async |credentials: &[&str]| {
        let request = from_with(ListGamesRequest::default(), "192.0.2.7", credentials);
        stage.client.games.clone().list_games(request).await
    };
    // The seats of an app share its budget, and do not use that of their address.
    let mut seats = ["mbs_one", "mbs_two"].into_iter().cycle();
    let mut passed = 0;
    let refusal = loop {
        match list(&[&secret, seats.next().unwrap()]).await {
            Ok(_) => passed += 1,
            Err(status) => break refused::<()>(Err(status)),
        }
    };
    assert!((3..MANY).contains(&passed), "{passed}");
    refusal.is("RATE_LIMITED", Code::ResourceExhausted, "this caller");
    for _ in 0..3 {
        list(&["mbs_one"]).await.unwrap();
    }
    // An unknown key gives no budget: the seat counts under its address.
    exhaust(&stage.client, "192.0.2.7", None).await;
    let refusal = refused(list(&["mbk_unknown", "mbs_one"]).await);
    refusal.is("RATE_LIMITED", Code::ResourceExhausted, "this address");
    stage.close().await;
}

#[tokio::test]
async fn watches_per_caller_are_limited() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.max_watches_per_caller = 2;
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let watch = async |address: &str| {
        let request = WatchMatchRequest {
            match_id: table.match_id.clone(),
            after_seq: None,
            include_view: false,
            after_hash: None,
        };
        stage.client.matches.clone().watch_match(from(request, address, None)).await
    };
    let first = watch("192.0.2.7").await.unwrap();
    let _second = watch("192.0.2.7").await.unwrap();
    let third = refused(watch("192.0.2.7").await);
    assert!(third.retry_after.is_some());
    third.is("TOO_MANY_STREAMS", Code::ResourceExhausted, "this caller has 2 open watches");
    let _elsewhere = watch("192.0.2.8").await.unwrap();
    // The permit is released once the service notices that the watcher is gone.
    drop(first);
    while watch("192.0.2.7").await.is_err() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}

#[tokio::test]
async fn the_matches_that_an_address_watches_leave_room_for_those_of_others() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.max_live_bytes = 64 << 10;
    let stage = Stage::with(config).await;
    let watch = async |address: &str| {
        let match_id = stage.client.table(3, 3, 1).await.match_id;
        let request = WatchMatchRequest { match_id, ..Default::default() };
        stage.client.matches.clone().watch_match(from(request, address, None)).await
    };
    let mut watches = Vec::new();
    let refusal = loop {
        match watch("192.0.2.7").await {
            Ok(watch) => watches.push(watch),
            Err(status) => break refused(Err::<(), _>(status)),
        }
        assert!(watches.len() < 100, "no watch was refused");
    };
    assert!(refusal.retry_after.is_some());
    refusal.is("TOO_MANY_STREAMS", Code::ResourceExhausted, "close a watch first");
    let _elsewhere = watch("192.0.2.8").await.unwrap();
    stage.close().await;
}

#[tokio::test]
async fn the_forks_of_an_address_store_a_bounded_number_of_bytes_per_hour() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.fork_bytes_per_hour = 1;
    let stage = Stage::with(config).await;
    let create = CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
    let created = stage.client.matches.clone().create_match(create.clone()).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    for seat in [0, 1] {
        stage.client.claim(&match_id, seat, "Ada").await.unwrap();
    }
    let fork = async |address: &str, request_id: Option<u128>| {
        let request_id = request_id.map(|id| Uuid::from_u128(id).to_string());
        let request = ForkMatchRequest { match_id: match_id.clone(), request_id, ..Default::default() };
        stage.client.matches.clone().fork_match(from(request, address, None)).await
    };
    let first = fork("192.0.2.7", Some(1)).await.unwrap().into_inner();
    let refusal = refused(fork("192.0.2.7", None).await);
    assert!(refusal.retry_after.is_some_and(|wait| wait.as_secs() > 3_600), "{:?}", refusal.retry_after);
    let refusal = refusal.is("RATE_LIMITED", Code::ResourceExhausted, "this caller's forks have stored");
    refusal.has("fork_bytes_per_hour", 1);
    let http = Http::of(&stage.address);
    let address = [("x-forwarded-for", "192.0.2.7")];
    let refusal = http.post(&format!("/v1/matches/{match_id}:fork"), &address, &json!({})).await;
    assert!(refusal.headers.contains_key("retry-after"));
    refusal.refused(429, "RATE_LIMITED");

    // A retry stores nothing. Others have their own, and new matches are not forks.
    assert_eq!(fork("192.0.2.7", Some(1)).await.unwrap().into_inner(), first);
    fork("192.0.2.8", None).await.unwrap();
    stage.client.matches.clone().create_match(from(create, "192.0.2.7", None)).await.unwrap();
    for _ in 0..3 {
        let request = ForkMatchRequest { match_id: match_id.clone(), ..Default::default() };
        stage.client.matches.clone().fork_match(request).await.unwrap();
    }
    stage.close().await;
}

#[tokio::test]
async fn responses_show_what_is_left_of_each_limit() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.calls_per_second_per_caller = 1;
    config.limits.call_burst_per_caller = 3;
    config.limits.calls_per_second_per_address = 1;
    config.limits.call_burst_per_address = 600;
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let http = Http::of(&stage.address);
    let left = |field: &str, policy: &str| -> Option<u32> {
        let item = field.split(", ").find(|item| item.starts_with(&format!("\"{policy}\";r=")))?;
        item.split(&['=', ';'][..]).nth(2)?.parse().ok()
    };

    // Over REST, whatever the response; the drawing makes two calls.
    let from = ("x-forwarded-for", "192.0.2.7");
    for (target, headers) in [
        ("/v1/games", vec![from]),
        ("/v1/games/go", vec![from]),
        ("/v1/nothing", vec![from]),
        ("/docs", vec![from]),
        (&format!("/v1/matches/{}/board.svg", table.match_id), vec![from]),
    ] {
        let answer = http.get(target, &headers).await;
        assert_eq!(answer.header("ratelimit-policy"), "\"address\";q=600;w=600", "{target}");
        let field = answer.header("ratelimit").to_owned();
        assert!(left(&field, "address").is_some_and(|left| (590..600).contains(&left)), "{target}: {field}");
    }
    for (exempt, headers) in [("/v1/games", &[][..]), ("/livez", &[from]), ("/readyz", &[from])] {
        let answer = http.get(exempt, headers).await;
        assert_eq!((answer.header("ratelimit-policy"), answer.header("ratelimit")), ("", ""), "{exempt}");
    }

    // Over gRPC, down to the refusal.
    let mut shown = Vec::new();
    let refusal = loop {
        let request = from_with(ListGamesRequest::default(), "192.0.2.8", &["mbs_somebody"]);
        match stage.client.games.clone().list_games(request).await {
            Ok(response) => shown.push(response.metadata().clone()),
            Err(status) => break status,
        }
    };
    shown.push(refusal.metadata().clone());
    for metadata in &shown {
        let policy = metadata.get("ratelimit-policy").unwrap();
        assert_eq!(policy, "\"address\";q=600;w=600, \"caller\";q=3;w=3");
    }
    let of_caller: Vec<u32> = shown
        .iter()
        .map(|metadata| left(metadata.get("ratelimit").unwrap().to_str().unwrap(), "caller").unwrap())
        .collect();
    assert_eq!((of_caller.first(), of_caller.last()), (Some(&2), Some(&0)), "{of_caller:?}");
    stage.close().await;
}

/// Replaces the token of seat 0 from this machine, whose calls do not count.
async fn rotated(stage: &Stage, match_id: &str, token: &str) -> String {
    let request = json!({"matchId": match_id, "seat": 0});
    let answer =
        grpc_json(stage.connect().await, "MatchService/RotateSeatToken", &request, Some(token)).await;
    answer.unwrap()["seatToken"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_new_token_is_the_same_caller_and_an_old_one_is_not() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.calls_per_second_per_caller = 1;
    config.limits.call_burst_per_caller = 20;
    let stage = Stage::with(config).await;
    let table = stage.client.table(4, 4, 9).await;
    let (passed, _) = exhaust(&stage.client, "192.0.2.7", Some(&table.tokens[0])).await;
    assert!(passed >= 20, "{passed}");
    let new = rotated(&stage, &table.match_id, &table.tokens[0]).await;
    let (passed, status) = exhaust(&stage.client, "192.0.2.8", Some(&new)).await;
    assert!(passed < 20, "a new token is not a new caller: {passed}");
    refused::<()>(Err(status)).is("RATE_LIMITED", Code::ResourceExhausted, "this caller");
    list(&stage.client, "192.0.2.8", Some(&table.tokens[1])).await.expect("the other seat is another caller");

    // The holder of a seat's old token cannot use up the seat's rate.
    let other = stage.client.table(4, 4, 9).await;
    let new = rotated(&stage, &other.match_id, &other.tokens[0]).await;
    list(&stage.client, "192.0.2.9", Some(&new)).await.unwrap();
    exhaust(&stage.client, "192.0.2.10", Some(&other.tokens[0])).await;
    list(&stage.client, "192.0.2.9", Some(&new)).await.expect("the old token counts for itself");
    stage.close().await;
}
