//! Traces of calls as a collector receives them: one trace from the client's span to the commit, over gRPC
//! and REST and on both databases.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use rstest::rstest;
use serde_json::{Value, json};
use tonic::Request;
use wire::v1;

use crate::stage::collector::{Collector, attributes};
use crate::stage::{
    Backend, Client, Http, Process, Storage, Table, documented_tree, sent, submit_request, tree,
    without_times,
};

/// A caller's trace and the caller's span in it.
pub(crate) struct Caller {
    pub(crate) trace_id: Vec<u8>,
    span_id: Vec<u8>,
}

impl Caller {
    pub(crate) fn new(number: u8) -> Self {
        Self { trace_id: vec![number; 16], span_id: vec![number; 8] }
    }

    /// Returns the value of the `traceparent` header.
    pub(crate) fn header(&self) -> String {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        format!("00-{}-{}-01", hex(&self.trace_id), hex(&self.span_id))
    }

    fn with<T>(&self, mut request: Request<T>) -> Request<T> {
        request.metadata_mut().insert("traceparent", self.header().parse().unwrap());
        request.metadata_mut().insert("tracestate", "vendor=TRACESTATE".parse().unwrap());
        request.metadata_mut().insert("baggage", "user=BAGGAGE".parse().unwrap());
        request
    }

    /// Returns the spans of this trace as pairs of span name and parent name; the caller's own span is
    /// `client`.
    fn span_pairs(&self, spans: &[Span]) -> BTreeSet<(String, String)> {
        let of_trace = || spans.iter().filter(|span| span.trace_id == self.trace_id);
        let name_of = |id: &[u8]| match of_trace().find(|span| span.span_id == id) {
            Some(span) => span.name.clone(),
            None if id == self.span_id => "client".to_owned(),
            None => "unknown".to_owned(),
        };
        of_trace().map(|span| (span.name.clone(), name_of(&span.parent_span_id))).collect()
    }
}

fn pairs(pairs: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    pairs.iter().map(|(name, parent)| ((*name).to_owned(), (*parent).to_owned())).collect()
}

async fn submit_within(client: &Client, table: &Table, notation: &str, caller: &Caller) {
    let request = sent(submit_request(table, notation), Some(&table.tokens[0]));
    client.matches.clone().submit_move(caller.with(request)).await.unwrap();
}

/// Long enough not to occur among random ids by chance.
const PLAYER: &str = "Annabel the Angel";
const MOVE: &str = "12,18";

async fn table(client: &Client) -> Table {
    client.table_of([PLAYER, "Ben"], 20, 20, 2).await
}

const SUBMIT: &str = "matchbook.v1.MatchService/SubmitMove";

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_one_trace_from_client_to_commit(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let collector = Collector::start();
    let before = Process::serve(&storage, &[]);
    let client = Client::of(&before.address).await;
    let [one, two] = [table(&client).await, table(&client).await];
    before.terminate();
    // A new process has nothing in memory, so that the trace covers every step.
    let process = Process::telling(&storage, &collector, &["--log", "debug"], &[]);
    let client = Client::of(&process.address).await;
    let [by_grpc, by_rest] = [1, 2].map(Caller::new);
    submit_within(&client, &one, MOVE, &by_grpc).await;
    let path = format!("/v1/matches/{}/moves", two.match_id);
    let header = by_rest.header();
    let headers = [("matchbook-seat-token", two.tokens[0].as_str()), ("traceparent", &header)];
    let response = Http::of(&process.address).post(&path, &headers, &json!({"notation": MOVE})).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));

    let received = collector.received();
    let within_call = [
        ("SELECT match", SUBMIT),
        ("fold", SUBMIT),
        ("SELECT match", "fold"),
        ("SELECT event", "fold"),
        ("match_lock", SUBMIT),
        ("judge", SUBMIT),
        ("append", SUBMIT),
        ("INSERT event", "append"),
    ];
    let [grpc, rest] = [&by_grpc, &by_rest].map(|caller| caller.span_pairs(&received.spans));
    assert_eq!(
        grpc,
        pairs(&[&within_call[..], &[(SUBMIT, "client")]].concat()),
        "{}",
        tree(&received.spans, &by_grpc.trace_id)
    );
    let route = "POST /v1/matches/{match_id}/moves";
    assert_eq!(rest, pairs(&[&within_call[..], &[(SUBMIT, route), (route, "client")]].concat()));
    let shown = tree(&received.spans, &by_rest.trace_id);
    println!("{}\n{shown}", tree(&received.spans, &by_grpc.trace_id));
    if backend == Backend::Postgres {
        let (documented, shown) = (documented_tree(), shown);
        assert_eq!(without_times(&documented), without_times(&shown), "docs/telemetry.md shows this trace");
    }

    let span_attributes = |caller: &Caller, name: &str| {
        let span = received.spans.iter().find(|span| span.trace_id == caller.trace_id && span.name == name);
        let span = span.unwrap_or_else(|| panic!("{name}"));
        (span.kind(), attributes(&span.attributes))
    };
    let (kind, call) = span_attributes(&by_grpc, SUBMIT);
    assert_eq!(kind, SpanKind::Server);
    assert_eq!(span_attributes(&by_rest, SUBMIT).0, SpanKind::Internal);
    let expected = [
        ("rpc.system", "grpc"),
        ("rpc.service", "matchbook.v1.MatchService"),
        ("rpc.method", "SubmitMove"),
        ("rpc.grpc.status_code", "0"),
        ("match.id", &one.match_id),
    ];
    for (name, value) in expected {
        assert_eq!(call.get(name).map(String::as_str), Some(value), "{name} of {call:?}");
    }
    let (kind, request) = span_attributes(&by_rest, route);
    assert_eq!(kind, SpanKind::Server);
    let expected = [
        ("http.request.method", "POST"),
        ("http.response.status_code", "200"),
        ("http.route", "/v1/matches/{match_id}/moves"),
    ];
    assert_eq!(request, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    let (kind, commit) = span_attributes(&by_grpc, "INSERT event");
    let system = if backend == Backend::Sqlite { "sqlite" } else { "postgresql" };
    assert_eq!((kind, commit["db.system.name"].as_str()), (SpanKind::Client, system));
    assert_eq!(commit["db.operation.name"], "INSERT");

    assert_eq!(received.resource["service.name"], "matchbook");
    let all = String::from_utf8_lossy(&received.raw);
    for secret in ["TRACESTATE", "BAGGAGE", "mbs_", PLAYER, MOVE] {
        assert!(!all.contains(secret), "{secret}");
    }
    // The log lines of the calls contain their trace ids.
    for caller in [&by_grpc, &by_rest] {
        let id = format!("trace_id={}", &caller.header()[3..35]);
        assert!(log.iter().any(|line| line.contains("responded") && line.contains(&id)), "{log:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_linked_to_its_calls() {
    let storage = Storage::here(Backend::Sqlite).await;
    let collector = Collector::start();
    let process = Process::telling(&storage, &collector, &[], &[]);
    let client = Client::of(&process.address).await;
    let mut tables = Vec::new();
    for _ in 0..40 {
        tables.push(client.table(3, 3, 2).await);
    }
    let callers: Vec<Caller> = (1..=40).map(Caller::new).collect();
    let moves =
        tables.iter().zip(&callers).map(|(table, caller)| submit_within(&client, table, "1,1", caller));
    futures_util::future::join_all(moves).await;
    process.terminate();

    let spans = collector.received().spans;
    let named = |name: &'static str| spans.iter().filter(move |span| span.name == name);
    let appends: BTreeMap<(&[u8], &[u8]), &Span> =
        named("append").map(|span| ((&*span.trace_id, &*span.span_id), span)).collect();
    let mut written = BTreeSet::new();
    let mut largest = 0;
    for commit in named("INSERT event").chain(named("BATCH INSERT event")) {
        let span_attributes = attributes(&commit.attributes);
        let size: usize =
            span_attributes.get("db.operation.batch.size").map_or(1, |size| size.parse().unwrap());
        assert_eq!(commit.links.len(), size);
        assert_eq!(size > 1, commit.name.starts_with("BATCH"));
        largest = largest.max(size);
        for (at, link) in commit.links.iter().enumerate() {
            let id = (&*link.trace_id, &*link.span_id);
            let append = appends[&id];
            assert!(written.insert(id), "an append is in one batch only");
            if at == 0 {
                // The first append is the parent; the others link to the commit.
                assert_eq!((&*commit.trace_id, &*commit.parent_span_id), id);
            } else {
                let [back] = &append.links[..] else { panic!("{append:?}") };
                assert_eq!((&back.trace_id, &back.span_id), (&commit.trace_id, &commit.span_id));
            }
        }
    }
    assert_eq!(written.len(), appends.len(), "every append was written");
    // Creates and claims were sequential; the moves were concurrent.
    assert_eq!(appends.len(), 4 * 40);
    assert!(largest > 1, "concurrent calls share a commit");
    for caller in &callers {
        assert_eq!(
            spans.iter().filter(|span| span.trace_id == caller.trace_id && span.name == SUBMIT).count(),
            1
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_move_on_a_stream_has_the_spans_of_a_call() {
    const SUBMITS: &str = "matchbook.v1.MatchService/SubmitMoves";
    let storage = Storage::here(Backend::Sqlite).await;
    let collector = Collector::start();
    let process = Process::telling(&storage, &collector, &[], &[]);
    let client = Client::of(&process.address).await;
    let tables = [table(&client).await, table(&client).await];
    let caller = Caller::new(9);
    let requests = tables.clone().map(|table| v1::SubmitMovesRequest {
        seat_token: table.tokens[0].clone(),
        r#move: Some(submit_request(&table, MOVE)),
        ..Default::default()
    });
    let requests = caller.with(Request::new(tokio_stream::iter(requests)));
    let mut answers = client.matches.clone().submit_moves(requests).await.unwrap().into_inner();
    while answers.message().await.unwrap().is_some() {}
    process.terminate();

    let received = collector.received();
    let found = caller.span_pairs(&received.spans);
    let stream = (SUBMITS.to_owned(), "client".to_owned());
    assert!(found.contains(&stream), "{}", tree(&received.spans, &caller.trace_id));
    for (name, parent) in [(SUBMIT, SUBMITS), ("judge", SUBMIT), ("append", SUBMIT)] {
        assert!(found.contains(&(name.to_owned(), parent.to_owned())), "{name} in {parent}: {found:?}");
    }
    let moves =
        || received.spans.iter().filter(|span| span.trace_id == caller.trace_id && span.name == SUBMIT);
    let matches: BTreeSet<_> = moves().map(|span| attributes(&span.attributes)["match.id"].clone()).collect();
    assert_eq!(matches, tables.map(|table| table.match_id).into());
    let all = String::from_utf8_lossy(&received.raw);
    for secret in ["mbs_", PLAYER, MOVE] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_span_of_a_watch_covers_the_whole_stream() {
    let storage = Storage::here(Backend::Sqlite).await;
    let collector = Collector::start();
    let process = Process::telling(&storage, &collector, &[], &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 1).await;
    let request = v1::WatchMatchRequest {
        match_id: table.match_id.clone(),
        after_seq: None,
        include_view: false,
        after_hash: None,
    };
    let caller = Caller::new(7);
    let mut watch =
        client.matches.clone().watch_match(caller.with(Request::new(request))).await.unwrap().into_inner();
    client.turn(&table, "1,1", "3,3").await;
    while watch.message().await.unwrap().is_some() {}
    let path = format!("/v1/matches/{}/watch", table.match_id);
    let by_rest = Caller::new(8);
    let headers = [("traceparent", &*by_rest.header()), ("accept", "text/event-stream")];
    assert_eq!(Http::of(&process.address).get(&path, &headers).await.status, 200);
    process.terminate();

    let spans = collector.received().spans;
    const WATCH: &str = "matchbook.v1.MatchService/WatchMatch";
    assert_eq!(caller.span_pairs(&spans), pairs(&[(WATCH, "client")]));
    let watched = spans.iter().find(|span| span.trace_id == caller.trace_id).unwrap();
    let submits = spans.iter().filter(|span| span.name == SUBMIT);
    assert_eq!(submits.clone().count(), 2);
    for submit in submits {
        assert!(
            watched.start_time_unix_nano < submit.start_time_unix_nano,
            "the watch starts before the move"
        );
        assert!(
            watched.end_time_unix_nano > submit.start_time_unix_nano,
            "the watch ends after the move starts"
        );
    }
    let route = "GET /v1/matches/{match_id}/watch";
    assert_eq!(by_rest.span_pairs(&spans), pairs(&[(WATCH, route), (route, "client")]));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_calls_are_traced_and_malformed_parents_are_ignored() {
    let storage = Storage::here(Backend::Sqlite).await;
    let collector = Collector::start();
    let process = Process::telling(&storage, &collector, &["--log-format", "json", "--log", "debug"], &[]);
    let client = Client::of(&process.address).await;
    let http = Http::of(&process.address);
    for path in ["/livez", "/readyz", "/metrics", "/openapi.json"] {
        assert_eq!(http.get(path, &[]).await.status, 200);
    }
    let id = "00000000-0000-7000-8000-000000000000";
    let view = format!("/v1/matches/{id}/view");
    let unsampled = Caller::new(9).header().replace("-01", "-00");
    for header in ["nonsense", "00-zz-zz-01", &unsampled] {
        http.get(&view, &[("traceparent", header)]).await.refused(404, "UNKNOWN_MATCH");
    }
    http.send(Method::from_bytes(b"SECRET").unwrap(), "/secret", &[], "").await.refused(404, "UNKNOWN_ROUTE");
    let request = v1::GetMatchRequest { match_id: id.to_owned() };
    client.matches.clone().get_match(request).await.unwrap_err();
    let (_, log) = process.terminate();

    let spans = collector.received().spans;
    let roots = || spans.iter().filter(|span| span.parent_span_id.is_empty());
    let mut names: Vec<&str> = roots().map(|span| &*span.name).collect();
    names.sort_unstable();
    let route = "GET /v1/matches/{match_id}/view";
    assert_eq!(names, [route, route, "HTTP", "matchbook.v1.MatchService/GetMatch"]);
    let traces: BTreeSet<&[u8]> = spans.iter().map(|span| &*span.trace_id).collect();
    assert_eq!(traces.len(), 4, "every other span belongs to one of these traces");
    let refused = spans.iter().find(|span| span.name == "matchbook.v1.MatchService/GetMatch").unwrap();
    let span_attributes = attributes(&refused.attributes);
    assert_eq!(
        (&*span_attributes["rpc.grpc.status_code"], &*span_attributes["matchbook.reason"]),
        ("5", "UNKNOWN_MATCH")
    );
    assert!(!format!("{spans:?}").to_lowercase().contains("secret"));

    let lines: Vec<Value> = log.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let line = lines.iter().find(|line| line["span"]["method"] == "MatchService/GetMatch").unwrap();
    assert_eq!(
        (&line["trace_id"], &line["span_id"]),
        (&hex(&refused.trace_id).into(), &hex(&refused.span_id).into())
    );
}
