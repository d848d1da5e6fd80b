//! `/metrics`: exact counts, in Prometheus' text format, for permitted callers only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use http::Method;
use play::{ApiKey, KeyRing, Role};
use serde_json::json;
use server::{ForwardedHeader, MetricsAccess, TrustedProxies};
use wire::v1::StreamFeedRequest;

use crate::stage::{Backend, Http, Stage, Storage, refused};

/// Values by series.
pub(crate) type Samples = BTreeMap<String, f64>;

pub(crate) async fn scrape(http: &Http) -> (Samples, String) {
    let answer = http.get("/metrics", &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "text/plain; version=0.0.4"));
    let text = answer.text().to_owned();
    let samples = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (series, value) = line.rsplit_once(' ').unwrap();
        (series.to_owned(), value.parse().unwrap())
    });
    (samples.collect(), text)
}

/// Returns the number of calls by method and code.
pub(crate) fn calls(samples: &Samples) -> BTreeMap<(String, String), f64> {
    let label = |series: &str, name: &str| {
        let (_, rest) = series.split_once(&format!("{name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    let counts =
        samples.iter().filter(|(series, _)| series.starts_with("matchbook_rpc_duration_seconds_count"));
    counts.map(|(series, count)| ((label(series, "method"), label(series, "code")), *count)).collect()
}

#[tokio::test]
async fn each_call_of_a_match_is_counted_once() {
    let stage = Stage::on(Backend::Sqlite).await;
    let http = Http::of(&stage.address);
    assert_eq!(calls(&scrape(&http).await.0), BTreeMap::new());

    let table = stage.client.table(3, 3, 2).await;
    let watch = stage.client.watch(&table.match_id, None, None).await.unwrap();
    let feed = stage.client.logs.clone().stream_feed(StreamFeedRequest::default()).await.unwrap();
    stage.client.turn(&table, "1,1", "3,3").await;
    assert_eq!(refused(stage.client.submit(&table, 0, "9,9").await).reason, "ILLEGAL_MOVE");
    assert_eq!(refused(stage.client.submit(&table, 0, "nonsense").await).reason, "ILLEGAL_MOVE");
    let view = format!("/v1/matches/{}/view", table.match_id);
    for _ in 0..3 {
        assert_eq!(http.get(&view, &[]).await.status, 200);
    }
    http.post("/v1/matches", &[], &json!({"gam": "ludus-magus"})).await.refused(400, "INVALID_ARGUMENT");

    let (samples, text) = scrape(&http).await;
    let expected = [
        ("MatchService/CreateMatch", "OK", 1.0),
        ("MatchService/ClaimSeat", "OK", 2.0),
        ("MatchService/WatchMatch", "OK", 1.0),
        ("LogService/StreamFeed", "OK", 1.0),
        ("MatchService/SubmitMove", "OK", 2.0),
        ("MatchService/SubmitMove", "FAILED_PRECONDITION", 2.0),
        ("MatchService/GetView", "OK", 3.0),
    ];
    let expected = expected.map(|(method, code, count)| ((method.to_owned(), code.to_owned()), count));
    assert_eq!(calls(&samples), BTreeMap::from(expected));
    assert_eq!(samples["matchbook_refusals_total{reason=\"ILLEGAL_MOVE\"}"], 2.0);
    assert_eq!(samples["matchbook_refusals_total{reason=\"INVALID_ARGUMENT\"}"], 1.0);
    assert_eq!(samples["matchbook_live_matches"], 1.0);
    assert_eq!(samples["matchbook_open_streams{kind=\"watch\"}"], 1.0);
    assert_eq!(samples["matchbook_open_streams{kind=\"feed\"}"], 1.0);
    assert_eq!(samples["matchbook_open_streams{kind=\"export\"}"], 0.0);
    assert_eq!(samples["matchbook_live_misses_total"], 0.0);
    assert!(samples["matchbook_live_hits_total"] >= 9.0, "claims, moves, views and the watch: {text}");
    // A create, two claims and two moves; on SQLite all of them through the batching writer.
    let committed =
        "matchbook_journal_append_duration_seconds_count{outcome=\"committed\",writer=\"batching\"}";
    assert_eq!(samples[committed], 5.0);
    assert_eq!(samples["matchbook_journal_batch_appends_sum{writer=\"batching\"}"], 5.0);
    assert_eq!(samples["matchbook_journal_queue_appends{writer=\"batching\"}"], 0.0);
    for secret in [&table.match_id, &table.tokens[0], &table.tokens[1], "Ann", "nonsense"] {
        assert!(!text.contains(secret), "{secret}");
    }
    drop((watch, feed));
    stage.close().await;
}

#[tokio::test]
async fn unknown_paths_share_one_series() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    for path in ["/a", "/b.Service/C", "/matchbook.v1.MatchService/Nothing"] {
        let headers = [("content-type", "application/grpc"), ("te", "trailers")];
        http.send(Method::POST, path, &headers, "").await;
    }
    let (samples, text) = scrape(&http).await;
    let other = (("other".to_owned(), "UNIMPLEMENTED".to_owned()), 3.0);
    assert_eq!(calls(&samples), BTreeMap::from([other]), "{text}");
    stage.close().await;
}

/// Returns the names and kinds in the page's table of metrics.
fn documented() -> BTreeSet<(String, String)> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/telemetry.md")).unwrap();
    let (_, table) = page.split_once("| metric | kind |").expect("the page has a table of metrics");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let mut cells = row.split('|').skip(1).map(|cell| cell.trim().trim_matches('`').to_owned());
        (cells.next().unwrap(), cells.next().unwrap())
    })
    .collect()
}

#[tokio::test]
async fn the_page_lists_every_metric() {
    let stage = Stage::on(Backend::Sqlite).await;
    let http = Http::of(&stage.address);
    let table = stage.client.table(3, 3, 2).await;
    refused(stage.client.submit(&table, 0, "9,9").await);
    let (_, text) = scrape(&http).await;
    let exported = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let exported: BTreeSet<_> = exported.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect();
    assert_eq!(documented(), exported);
    for (name, _) in &exported {
        assert!(text.lines().any(|line| line.starts_with(&format!("# HELP {name} "))), "{name} has no help");
    }
    stage.close().await;
}

#[tokio::test]
async fn a_remote_caller_needs_a_key_with_the_audit_or_admin_role() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.trusted_proxies =
        TrustedProxies { networks: vec!["127.0.0.0/8".parse().unwrap()], header: ForwardedHeader::default() };
    let generated = Role::ALL.map(|role| ApiKey::generate(role.as_str(), role).unwrap());
    config.api_keys = KeyRing::new(generated.iter().map(|(key, _)| key.clone()).collect()).unwrap();
    let stage = Stage::with(config).await;
    let http = Http::of(&stage.address);
    assert_eq!(http.get("/metrics", &[]).await.status, 200, "loopback needs no key");
    let remote = ("x-forwarded-for", "192.0.2.7");
    http.get("/metrics", &[remote]).await.refused(401, "MISSING_KEY");
    // No trusted proxy writes this header, but its presence means that the call was forwarded.
    http.get("/metrics", &[("forwarded", "for=192.0.2.7")]).await.refused(401, "MISSING_KEY");
    let bearer = |secret: &str| format!("Bearer {secret}");
    let unknown = bearer(&ApiKey::generate("x", Role::Audit).unwrap().1);
    http.get("/metrics", &[remote, ("authorization", &unknown)]).await.refused(401, "BAD_TOKEN");
    for (key, secret) in &generated {
        let answer = http.get("/metrics", &[remote, ("authorization", &bearer(secret))]).await;
        match key.role {
            Role::App => drop(answer.refused(403, "NOT_ALLOWED")),
            Role::Audit | Role::Admin => assert_eq!(answer.status, 200),
        }
    }
    stage.close().await;
}

#[tokio::test]
async fn without_api_keys_no_remote_caller_reads_the_metrics() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    // No proxy is trusted, so the header itself makes the call a forwarded one.
    let remote = ("x-forwarded-for", "192.0.2.7");
    let error = http.get("/metrics", &[remote]).await.refused(403, "NOT_ALLOWED");
    assert!(error["message"].as_str().unwrap().contains("no API key is configured"), "{error}");
    stage.close().await;
}

#[tokio::test]
async fn metrics_can_be_opened_and_turned_off() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.metrics = MetricsAccess::Open;
    let stage = Stage::with(config.clone()).await;
    let http = Http::of(&stage.address);
    assert_eq!(http.get("/metrics", &[("x-forwarded-for", "192.0.2.7")]).await.status, 200);
    http.post("/metrics", &[], &json!({})).await.refused(405, "METHOD_NOT_ALLOWED");
    stage.close().await;
    config.metrics = MetricsAccess::Off;
    let stage = Stage::with(config).await;
    Http::of(&stage.address).get("/metrics", &[]).await.refused(404, "UNKNOWN_ROUTE");
    stage.close().await;
}
