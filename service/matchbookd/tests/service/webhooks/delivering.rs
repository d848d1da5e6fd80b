//! What a receiver gets: each event of the owner's matches, in order, signed.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use http::Method;
use serde_json::{Value, json};

use super::shop::{
    Shop, call, create, create_of, events, lenient, make_move, signature, start_match, webhook,
};
use crate::stage::{Backend, Http, Receiver, Storage, skipped};

#[tokio::test]
async fn each_event_of_a_match_arrives_once_in_order_as_its_owner_sees_it() {
    let storage = Storage::here(Backend::Sqlite).await;
    let shop = Shop::on(&storage, lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let before = start_match(http, key).await.0;
    let hook = create(http, key, &receiver, "/hook?tenant=7").await;
    let (id, tokens) = start_match(http, key).await;
    make_move(http, &id, &tokens[0], "1,1").await;
    make_move(http, &id, &tokens[1], "3,3").await;
    let log = events(http, key, &id).await;
    assert_eq!(log.len(), 7);
    let received = receiver.wait("the reveal", |all| all.iter().any(|one| one.seq() == 7)).await;
    let received: Vec<_> = received.iter().filter(|one| one.match_id() != before).collect();
    assert_eq!(received.len(), log.len(), "each event once");
    for (delivery, event) in received.iter().zip(&log) {
        let (seq, body) = (&event["seq"], delivery.json());
        assert_eq!(delivery.id(), format!("{id}-{seq}"));
        assert_eq!(body["id"], delivery.id());
        assert_eq!(body["data"]["event"], *event, "as the owner sees it");
        assert_eq!(
            (&body["data"]["webhookId"], &body["data"]["matchId"], &body["data"]["seq"]),
            (&json!(hook.id), &json!(id), seq)
        );
        assert_eq!(body["timestamp"], event["recordTime"]);
        let kind = body["type"].as_str().unwrap();
        let camel = kind.split('_').enumerate().map(|(n, word)| match n {
            0 => word.to_owned(),
            _ => word[..1].to_uppercase() + &word[1..],
        });
        assert!(event[camel.collect::<String>()].is_object(), "{kind}: {event}");

        assert_eq!(delivery.path, "/hook?tenant=7");
        assert_eq!(delivery.header("content-type"), "application/json");
        assert_eq!(delivery.header("webhook-signature"), signature(&hook.secret, delivery));
        let sent: u64 = delivery.header("webhook-timestamp").parse().unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert!(sent <= now + 1 && now < sent + 100, "{sent} {now}");
        assert!(!delivery.headers.contains_key("authorization") && !delivery.headers.contains_key("cookie"));
    }
    let shown = webhook(http, key, &hook.id).await;
    assert_eq!((&shown["pendingCount"], &shown["deadLetterCount"]), (&json!(0), &json!(0)));
    shop.close().await;
}

#[tokio::test]
async fn only_the_chosen_kinds_arrive_and_only_while_the_webhook_is_enabled() {
    let shop = Shop::open(lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let hook = create_of(http, key, &receiver.url("/"), &["match_started", "match_ended"]).await;
    let path = format!("/v1/webhooks/{}", hook.id);
    let (id, tokens) = start_match(http, key).await;
    receiver.wait_for(1).await;
    let changed = call(http, Method::PATCH, &path, key, json!({"enabled": false})).await.json();
    assert_eq!(changed["webhook"]["state"], "WEBHOOK_STATE_DISABLED");
    while !http.get("/metrics", &[]).await.text().contains("matchbook_webhook_leases 0") {
        tokio::task::yield_now().await;
    }
    let resign = format!("/v1/matches/{id}:resign");
    http.post(&resign, &[("matchbook-seat-token", &tokens[0])], &json!({})).await;
    let other = Receiver::start();
    let more = json!({"enabled": true, "url": other.url("/new"), "kinds": {"kinds": []}});
    let changed = call(http, Method::PATCH, &path, key, more).await.json()["webhook"].clone();
    assert_eq!((&changed["state"], &changed["kinds"]), (&json!("WEBHOOK_STATE_ENABLED"), &json!([])));
    // What happened while it was disabled arrives as well, at the new URL.
    let received =
        other.wait("the end", |all| all.iter().any(|one| one.json()["type"] == "match_ended")).await;
    assert!(received.iter().all(|one| one.path == "/new"));
    assert_eq!(receiver.received().len(), 1);
    shop.close().await;
}

#[tokio::test]
async fn a_new_secret_signs_beside_the_old_one() {
    let shop = Shop::open(lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let hook = create(http, key, &receiver, "/").await;
    let path = format!("/v1/webhooks/{}:rotateSecret", hook.id);
    let rotated = call(http, Method::POST, &path, key, json!({"currentGeneration": 1})).await.json();
    let again = call(http, Method::POST, &path, key, json!({"currentGeneration": 1})).await.json();
    assert_eq!(again["secret"], rotated["secret"], "a retry returns the same secret");
    assert_eq!(rotated["webhook"]["secretGeneration"], 2);
    assert!(rotated["webhook"]["previousSecretUntil"].is_string());
    let secret = rotated["secret"].as_str().unwrap();
    assert_ne!(secret, hook.secret);
    start_match(http, key).await;
    let is_signed_twice = |one: &crate::stage::Received| {
        let (new, old) = (signature(secret, one), signature(&hook.secret, one));
        one.header("webhook-signature") == format!("{new} {old}")
    };
    receiver.wait("both signatures", |all| all.last().is_some_and(is_signed_twice)).await;
    let wrong = call(http, Method::POST, &path, key, json!({"currentGeneration": 7})).await;
    wrong.refused(400, "INVALID_ARGUMENT");
    shop.close().await;
}

#[tokio::test]
async fn a_ping_arrives_at_once_and_reports_what_came_of_it() {
    let shop = Shop::open(lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let hook = create(http, key, &receiver, "/").await;
    let path = format!("/v1/webhooks/{}:ping", hook.id);
    let ping = async || call(http, Method::POST, &path, key, json!({})).await.json();
    assert_eq!(ping().await, json!({"delivered": true, "failure": ""}));
    let received = receiver.received();
    assert_eq!(received[0].json()["type"], "ping");
    assert_eq!(received[0].json()["data"]["event"], Value::Null);
    assert_eq!(received[0].header("webhook-signature"), signature(&hook.secret, &received[0]));
    receiver.answer(|_| crate::stage::Reply::Status(418));
    assert_eq!(ping().await, json!({"delivered": false, "failure": "status 418"}));
    assert_eq!(webhook(http, key, &hook.id).await["pendingCount"], 0, "a ping is not repeated");
    shop.close().await;
}

/// A program's language on the page, how it is run, and what checks the delivery of its standard input.
const SNIPPETS: [(&str, &[&str], &str); 2] = [
    (
        "python",
        &["python3", "-c"],
        "import sys, json; a = json.load(sys.stdin); \
         print(str(verify(a['secret'], a['headers'], a['body'].encode())).lower())",
    ),
    (
        "js",
        &["node", "--input-type=module", "-e"],
        "import { readFileSync } from 'node:fs'; const a = JSON.parse(readFileSync(0, 'utf8')); \
         console.log(verify(a.secret, a.headers, Buffer.from(a.body)));",
    ),
];

fn page() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/webhooks.md");
    std::fs::read_to_string(page).unwrap()
}

/// Returns the first program in a language on the page.
fn program_in<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

/// Reads the first line that begins with one of these words; returns the word and the rest.
fn line_of(output: &mut impl BufRead, words: &[&'static str]) -> (&'static str, String) {
    for line in output.lines().map(Result::unwrap) {
        let found = words.iter().find_map(|word| Some((*word, line.strip_prefix(word)?.to_owned())));
        if let Some(found) = found {
            return found;
        }
    }
    panic!("the program ended without one of {words:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_of_the_page_tells_deliveries_from_forgeries() {
    let shop = Shop::open(lenient()).await;
    let (http, key) = (&shop.http, &shop.keys.shop);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/");
    let hook = create_of(http, key, &url, &["match_started"]).await;
    let page = page();
    let program = program_in(&page, "python").replace("8000", &port.to_string());
    let ready = program.replace("HTTPServer((", "server = HTTPServer((");
    let ready = ready.replace(").serve_forever()", "); print('ready', flush=True); server.serve_forever()");
    let mut run = Command::new("python3");
    run.args(["-c", &ready, &hook.secret]).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut run) = run.spawn() else { return skipped("python3 is not installed") };
    let mut output = BufReader::new(run.stdout.take().unwrap());
    line_of(&mut output, &["ready"]);
    let path = format!("/v1/webhooks/{}:ping", hook.id);
    let ping = call(http, Method::POST, &path, key, json!({})).await.json();
    assert_eq!(ping, json!({"delivered": true, "failure": ""}));
    let (verdict, body) = line_of(&mut output, &["genuine", "forged"]);
    assert_eq!((verdict, json_type(&body)), ("genuine", json!("ping")));
    let forged = Http::of(&format!("127.0.0.1:{port}")).post("/", &[], &json!({"type": "forgery"})).await;
    assert_eq!(forged.status, 401);
    assert_eq!(line_of(&mut output, &["genuine", "forged"]).0, "forged");
    start_match(http, key).await;
    let (verdict, body) = line_of(&mut output, &["genuine", "forged"]);
    assert_eq!((verdict, json_type(&body)), ("genuine", json!("match_started")));
    run.kill().unwrap();
    run.wait().unwrap();
    shop.close().await;
}

fn json_type(body: &str) -> Value {
    serde_json::from_str::<Value>(body).unwrap()["type"].clone()
}

#[tokio::test]
async fn the_programs_of_the_page_verify_a_delivery() {
    let page = page();
    let shop = Shop::open(lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let hook = create(http, key, &receiver, "/").await;
    start_match(http, key).await;
    let received = receiver.wait_for(4).await;
    let delivery = &received[3];
    let mut changed = delivery.body.clone();
    *changed.last_mut().unwrap() = b' ';
    let mut late = delivery.headers.clone();
    late.insert("webhook-timestamp".to_owned(), "1767225600".to_owned());
    for (language, program, check) in SNIPPETS {
        let program_of_page = program_in(&page, language);
        let snippet = program_of_page.split("\nclass ").next().unwrap();
        for (headers, body, verdict) in [
            (&delivery.headers, &delivery.body, "true\n"),
            (&delivery.headers, &changed, "false\n"),
            (&late, &delivery.body, "false\n"),
        ] {
            let body = String::from_utf8(body.clone()).unwrap();
            let input = json!({"secret": hook.secret, "headers": headers, "body": body});
            let mut run = Command::new(program[0]);
            run.args(&program[1..]).arg(format!("{snippet}\n{check}"));
            let Ok(mut run) = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
                return skipped(&format!("{} is not installed", program[0]));
            };
            run.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
            let output = run.wait_with_output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), verdict, "{language}");
        }
    }
    shop.close().await;
}
