//! Receivers that fail: what is sent again, in which order, and what is given up.

use std::collections::BTreeMap;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use server::WebhookConfig;

use super::shop::{Shop, call, create, lenient, start_match, webhook};
use crate::stage::{Received, Receiver, Reply};

/// Returns the seqs of a match's deliveries, in the order of arrival.
fn seqs(received: &[Received], match_id: &str) -> Vec<u64> {
    received.iter().filter(|one| one.match_id() == match_id).map(Received::seq).collect()
}

#[tokio::test]
async fn a_failed_event_is_sent_again_under_its_id_before_any_later_one_of_its_match() {
    let shop = Shop::open(lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    create(http, key, &receiver, "/").await;
    let mut failures: BTreeMap<String, u32> = BTreeMap::new();
    // Fail the second event of each match five times.
    receiver.answer(move |one| {
        let failed = failures.entry(one.id().to_owned()).or_default();
        *failed += 1;
        Reply::Status(if one.seq() == 2 && *failed <= 5 { 500 } else { 204 })
    });
    let (first, _) = start_match(http, key).await;
    let (second, _) = start_match(http, key).await;
    let done = |all: &[Received]| [&first, &second].iter().all(|id| seqs(all, id).contains(&4));
    let received = receiver.wait("both matches", done).await;
    for id in [first, second] {
        assert_eq!(seqs(&received, &id), [1, 2, 2, 2, 2, 2, 2, 3, 4]);
    }
    let bodies: BTreeMap<&str, &[u8]> = received.iter().map(|one| (one.id(), &one.body[..])).collect();
    assert!(received.iter().all(|one| bodies[one.id()] == one.body), "every attempt has the same body");
    shop.close().await;
}

#[tokio::test]
async fn other_matches_do_not_wait_for_one_that_fails() {
    let shop = Shop::open(lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    create(http, key, &receiver, "/").await;
    let (bad, _) = start_match(http, key).await;
    receiver.wait_for(4).await;
    let unlucky = bad.clone();
    receiver.answer(move |one| Reply::Status(if one.match_id() == unlucky { 503 } else { 200 }));
    let abort = format!("/v1/matches/{bad}:resign");
    assert_ne!(call(http, Method::POST, &abort, key, json!({})).await.status, 500);
    let (good, tokens) = start_match(http, key).await;
    http.post(&format!("/v1/matches/{good}:resign"), &[("matchbook-seat-token", &tokens[0])], &json!({}))
        .await;
    let received = receiver.wait("the good match", |all| seqs(all, &good).contains(&5)).await;
    assert_eq!(seqs(&received, &good), [1, 2, 3, 4, 5]);
    shop.close().await;
}

#[tokio::test]
async fn answers_other_than_a_success_are_failures_and_nothing_of_them_is_followed_or_read() {
    let config = WebhookConfig { webhook_timeout: Duration::from_millis(300), ..lenient() };
    let shop = Shop::open(config).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let hook = create(http, key, &receiver, "/hook").await;
    let path = format!("/v1/webhooks/{}:ping", hook.id);
    let elsewhere = receiver.url("/elsewhere");
    let redirect = format!("HTTP/1.1 307 x\r\nlocation: {elsewhere}\r\ncontent-length: 0\r\n\r\n");
    let huge_head = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "a".repeat(1 << 20));
    let interim = [b"HTTP/1.1 100 x\r\n\r\n".repeat(1 << 16), b"HTTP/1.1 204 x\r\n\r\n".to_vec()].concat();
    let huge_body = [b"HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n".to_vec(), vec![b'a'; 1 << 20]];
    let slow_body = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\na".to_vec();
    let broken = "the connection broke, or the answer is not HTTP";
    for (raw, failure) in [
        (redirect.into_bytes(), "status 307; redirects are not followed"),
        (b"HTTP/1.1 404 x\r\ncontent-length: 0\r\n\r\n".to_vec(), "status 404"),
        (b"HTTP/1.1 199 x\r\n\r\n".to_vec(), "timed out"),
        (Vec::new(), "timed out"),
        (b"not http at all\r\n\r\n".to_vec(), broken),
        (huge_head.into_bytes(), broken),
        (interim, broken),
        // The event was taken: what follows the head does not matter.
        (huge_body.concat(), ""),
        (slow_body, ""),
    ] {
        receiver.answer(move |_| Reply::Raw(raw.clone()));
        let answer = call(http, Method::POST, &path, key, json!({})).await.json();
        assert_eq!(answer, json!({"delivered": failure.is_empty(), "failure": failure}));
    }
    assert!(receiver.received().iter().all(|one| one.path == "/hook"), "no redirect was followed");
    shop.close().await;
}

#[tokio::test]
async fn a_receiver_that_is_gone_gets_nothing_more_until_its_webhook_is_enabled() {
    let shop = Shop::open(lenient()).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let hook = create(http, key, &receiver, "/").await;
    receiver.answer(|_| Reply::Status(410));
    let (id, _) = start_match(http, key).await;
    let state = async || webhook(http, key, &hook.id).await["state"].clone();
    while state().await != "WEBHOOK_STATE_GONE" {
        tokio::task::yield_now().await;
    }
    receiver.answer(|_| Reply::Status(200));
    let path = format!("/v1/webhooks/{}", hook.id);
    call(http, Method::PATCH, &path, key, json!({"enabled": true})).await;
    let received = receiver.wait("the whole match", |all| seqs(all, &id).contains(&4)).await;
    let first = seqs(&received, &id).iter().filter(|seq| **seq == 1).count();
    assert!(first >= 2, "the event that was refused as gone arrives as well");
    shop.close().await;
}

#[tokio::test]
async fn what_is_never_taken_becomes_a_dead_letter_that_its_owner_can_have_sent_again() {
    let config = WebhookConfig { webhook_give_up: Duration::from_secs(1), ..lenient() };
    let shop = Shop::open(config).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let hook = create(http, key, &receiver, "/").await;
    receiver.answer(|_| Reply::Status(500));
    let (id, _) = start_match(http, key).await;
    let path = format!("/v1/webhooks/{}/deadLetters", hook.id);
    while webhook(http, key, &hook.id).await["deadLetterCount"] != 4 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let list =
        async |query: &str| call(http, Method::GET, &format!("{path}{query}"), key, Value::Null).await.json();
    let page = list("?pageSize=3").await;
    let rest = list(&format!("?pageSize=3&pageToken={}", page["nextPageToken"].as_str().unwrap())).await;
    assert_eq!(rest["nextPageToken"], "");
    let all =
        [&page["deadLetters"], &rest["deadLetters"]].map(|list| list.as_array().unwrap().clone()).concat();
    let ids: Vec<_> = all.iter().map(|one| one["deliveryId"].as_str().unwrap()).collect();
    assert_eq!(ids, (1..=4).map(|seq| format!("{id}-{seq}")).collect::<Vec<_>>());
    assert_eq!((&all[0]["kind"], &all[0]["failure"]), (&json!("match_created"), &json!("status 500")));
    assert!(all[0]["attempts"].as_u64().unwrap() > 1);

    receiver.answer(|_| Reply::Status(200));
    let before = receiver.received().len();
    let retry = format!("{path}:retry");
    let one = call(http, Method::POST, &retry, key, json!({"deliveryIds": [ids[2]]})).await.json();
    assert_eq!(one["retriedCount"], 1);
    let received = receiver.wait_for(before + 1).await;
    assert_eq!(received[before].id(), ids[2], "under the same id as before");
    let all = call(http, Method::POST, &retry, key, json!({})).await.json();
    assert_eq!(all["retriedCount"], 3);
    let received = receiver.wait_for(before + 4).await;
    assert_eq!(seqs(&received[before + 1..], &id), [1, 2, 4]);
    while webhook(http, key, &hook.id).await["pendingCount"] != 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(list("").await["deadLetters"], json!([]));
    shop.close().await;
}
