//! Random requests, generated from the OpenAPI description, filled with real and made-up values, then
//! damaged. The service answers each as documented: without internal errors, hangs or truncated bodies.
//!
//! The default run is short and deterministic. `MATCHBOOK_FUZZ_SECONDS` sets a longer run time,
//! `MATCHBOOK_FUZZ_SEED` another seed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::stage::{Backend, Http, Stage};

const CASES: u32 = 1500;

/// A response that takes longer counts as a hang.
const HANG_TIMEOUT: Duration = Duration::from_secs(60);

const METHODS: [&str; 9] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "\u{1}GET"];

const VALUES: [&str; 32] = [
    "",
    "0",
    "1",
    "-1",
    "4294967295",
    "4294967296",
    "1e9",
    "1.5",
    "NaN",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "%",
    "%2",
    "%00",
    "%2F..%2F",
    "%ff%fe",
    "..",
    "a b",
    "é",
    "\u{202e}",
    "1",
    "-1",
    "angels-and-demons",
    "1,1",
    "a;b&c=d",
    "=",
    "//",
    "00000000-0000-0000-0000-000000000000",
    "*",
];

const HEADERS: [&str; 17] = [
    "authorization: Bearer x",
    "matchbook-seat-token: x",
    "authorization: Basic \u{7f}",
    "accept: text/event-stream",
    "accept: */*;q=0",
    "accept: image/svg+xml",
    "accept-encoding: gzip, br;q=7",
    "content-type: application/json",
    "content-type: text/plain; charset=\"",
    "content-type: application/grpc-web+proto",
    "content-type: application/grpc-web-text",
    "idempotency-key: 1",
    "last-event-id: 99999999999",
    "if-none-match: W/\"x\"",
    "origin: null",
    "x-http-method-override: DELETE",
    "expect: 200-ok",
];

const BODIES: [&str; 12] = [
    "",
    "{}",
    "[]",
    "null",
    "{\"game\":\"angels-and-demons\"}",
    "{\"game\":\"ludus-magus\",\"options\":{}}",
    "{\"notation\":\"1,1\",\"expectedSeq\":4}",
    "{\"seat\":1,\"player\":{\"displayName\":\"\u{202e}\"}}",
    "{\"requestId\":\"1\",\"requestId\":\"2\"}",
    "{\"path\":[\"1\",{\"a\":[]}]}",
    "{\"move\":{\"angelsAndDemons\":{\"row\":-1}}}",
    "{\"options\":{\"angelsAndDemons\":{\"rows\":1e400}}}",
];

/// Whether the service can tell where a request ends.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Intact,
    /// The service may wait for more, so the client closes its half of the connection.
    Damaged,
}

/// The values that requests are built from.
struct Material {
    routes: Vec<(String, String)>,
    names: Vec<String>,
    matches: Vec<String>,
    tokens: Vec<String>,
}

impl Material {
    async fn of(stage: &Stage) -> Self {
        let openapi = Http::of(&stage.address).get("/openapi.json", &[]).await.json();
        let (mut routes, mut names) = (Vec::new(), Vec::new());
        for (path, operations) in openapi["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                routes.push((method.to_uppercase(), path.clone()));
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                names.extend(parameters.filter_map(|one| one["name"].as_str()).map(str::to_owned));
            }
        }
        names.sort();
        names.dedup();
        let (mut matches, mut tokens) = (vec!["x".to_owned()], vec!["x".to_owned()]);
        for _ in 0..3 {
            let table = stage.client.table(4, 4, 9).await;
            stage.client.turn(&table, "1,1", "4,4").await;
            matches.push(table.match_id);
            tokens.extend(table.tokens);
        }
        Self { routes, names, matches, tokens }
    }

    fn value(&self, rng: &mut StdRng) -> String {
        match rng.random_range(0..8) {
            0..=2 => self.matches.choose(rng).unwrap().clone(),
            3 => self.tokens.choose(rng).unwrap().clone(),
            4 => "9".repeat(rng.random_range(1..3000)),
            _ => (*VALUES.choose(rng).unwrap()).to_owned(),
        }
    }

    fn target(&self, path: &str, rng: &mut StdRng) -> String {
        let mut target = String::new();
        let mut rest = path;
        while let Some((before, after)) = rest.split_once('{') {
            let (_, after) = after.split_once('}').unwrap();
            target += before;
            target += &if rng.random_bool(0.7) {
                self.matches.choose(rng).unwrap().clone()
            } else {
                self.value(rng)
            };
            rest = after;
        }
        target += rest;
        for number in 0..[0, 0, 0, 1, 1, 2, 4][rng.random_range(0..7)] {
            let name =
                if rng.random_bool(0.9) { self.names.choose(rng).unwrap().clone() } else { self.value(rng) };
            target += &format!("{}{name}={}", if number == 0 { '?' } else { '&' }, self.value(rng));
        }
        target
    }

    /// Returns the bytes of a random request, possibly damaged.
    fn request(&self, rng: &mut StdRng) -> (Vec<u8>, Form) {
        let (method, path) = self.routes.choose(rng).unwrap();
        let method = if rng.random_bool(0.9) { method.as_str() } else { METHODS.choose(rng).unwrap() };
        let mut head =
            format!("{method} {} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n", self.target(path, rng));
        for _ in 0..[0, 0, 0, 0, 1, 1, 3][rng.random_range(0..7)] {
            head += &format!("{}\r\n", HEADERS.choose(rng).unwrap());
        }
        if rng.random_bool(0.5) {
            head += &format!("matchbook-seat-token: {}\r\n", self.tokens.choose(rng).unwrap());
        }
        let mut body = match rng.random_range(0..10) {
            0 => "[".repeat(rng.random_range(1..5000)),
            1 => format!("{{\"{}\":{}}}", self.names.choose(rng).unwrap(), VALUES.choose(rng).unwrap()),
            2 => format!("{{\"{}\":\"{}\"}}", self.names.choose(rng).unwrap(), self.value(rng)),
            _ => (*BODIES.choose(rng).unwrap()).to_owned(),
        }
        .into_bytes();
        if method == "POST" && rng.random_bool(0.8) {
            head += "content-type: application/json\r\n";
        }
        if rng.random_bool(0.3) {
            damage(&mut body, rng);
        }
        let mut bytes = format!("{head}content-length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend(body);
        let form = if rng.random_bool(0.1) { Form::Damaged } else { Form::Intact };
        if form == Form::Damaged {
            damage(&mut bytes, rng);
        }
        (bytes, form)
    }
}

/// Changes, inserts, removes or repeats some bytes.
fn damage(bytes: &mut Vec<u8>, rng: &mut StdRng) {
    for _ in 0..rng.random_range(1..6) {
        let at = rng.random_range(0..=bytes.len());
        match rng.random_range(0..4) {
            0 => bytes.insert(at, rng.random()),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = rng.random(),
            _ => {
                let again = bytes[at..].to_vec();
                bytes.extend(again.into_iter().take(64));
            }
        }
    }
}

/// Returns the status of the response, or `None` if the service closed the connection without one.
async fn exchange(address: &str, request: &[u8], form: Form) -> Option<u16> {
    let mut connection = TcpStream::connect(address).await.unwrap();
    // The service may reject a request before it has been sent completely.
    let _ = connection.write_all(request).await;
    if form == Form::Damaged {
        let _ = connection.shutdown().await;
    }
    let (mut all, mut bytes) = (Vec::new(), [0; 16_384]);
    while let Ok(count @ 1..) = connection.read(&mut bytes).await {
        all.extend_from_slice(&bytes[..count]);
        let text = String::from_utf8_lossy(&all);
        if text.contains("\r\n\r\n")
            && (text.contains("text/event-stream") || text.contains("application/x-ndjson"))
        {
            // A stream lasts as long as the match.
            break;
        }
    }
    let end = all.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(all[..end].to_vec()).unwrap().to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = &all[end + 4..];
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let whole = length.is_some_and(|length| length.parse() == Ok(body.len()));
    if whole
        && !body.is_empty()
        && head.contains("content-type: application/json")
        && !head.contains("content-encoding")
    {
        let json: Value = serde_json::from_slice(body).unwrap();
        assert_ne!(json["error"]["reason"], "INTERNAL", "{json}");
        assert!(status < 400 || json["error"]["reason"].is_string(), "{json}");
    }
    Some(status)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_causes_an_internal_error() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seconds, seed) = (number("MATCHBOOK_FUZZ_SECONDS"), number("MATCHBOOK_FUZZ_SEED").unwrap_or(1));
    let stage = Stage::on(Backend::Memory).await;
    let material = Material::of(&stage).await;
    let mut rng = StdRng::seed_from_u64(seed);
    let (start, mut cases) = (Instant::now(), 0);
    let mut statuses: BTreeMap<Option<u16>, u32> = BTreeMap::new();
    let running =
        |cases: u32| seconds.map_or(cases < CASES, |seconds| start.elapsed() < Duration::from_secs(seconds));
    while running(cases) {
        let (request, form) = material.request(&mut rng);
        let context = || format!("case {cases} of seed {seed}: {}", request.escape_ascii());
        let status = timeout(HANG_TIMEOUT, exchange(&stage.address, &request, form)).await;
        let status = status.unwrap_or_else(|_| panic!("no response: {}", context()));
        assert!(status.is_some() || form == Form::Damaged, "closed without a response: {}", context());
        // hyper answers 501 to an unknown transfer-encoding and 505 to another HTTP version.
        assert!(
            status.is_none_or(|status| status < 500 || [501, 505].contains(&status)),
            "{status:?}: {}",
            context()
        );
        *statuses.entry(status).or_default() += 1;
        cases += 1;
    }
    println!("{cases} requests, responses by status: {statuses:?}");
    assert!(statuses.len() > 5, "too few different statuses: {statuses:?}");
    stage.client.table(4, 4, 9).await;
    stage.close().await;
}
