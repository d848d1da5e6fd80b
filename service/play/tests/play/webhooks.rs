//! Deliveries to webhooks: what is sent, to whom, how often, and what requests may say.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use play::{AttemptOutcome, AttemptResult, OutgoingWebhook, Settings};
use play::{WebhookLimits, WebhookSender, WebhookSettings};
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;
use crate::keyed::Keyed;

/// A transport that records what it is given, and fails the first attempts.
#[derive(Default)]
struct Recorder {
    failures: usize,
    sent: Mutex<Vec<Sent>>,
}

/// One recorded attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sent {
    id: String,
    kind: String,
    seq: u32,
}

#[async_trait]
impl WebhookSender for Recorder {
    fn check_url(&self, url: &str) -> Result<(), String> {
        if url.starts_with("https://") { Ok(()) } else { Err("must be https".to_owned()) }
    }

    async fn send(&self, outgoing: OutgoingWebhook) -> AttemptOutcome {
        let mut sent = self.sent.lock().unwrap();
        let seq = outgoing.payload.data.as_ref().map_or(0, |data| data.seq);
        sent.push(Sent { id: outgoing.id, kind: outgoing.payload.r#type, seq });
        AttemptOutcome::Status(if sent.len() <= self.failures { 500 } else { 204 })
    }
}

/// A service with API keys that sends to a recorder.
async fn start(failures: usize) -> (Keyed, Arc<Recorder>) {
    let recorder = Arc::new(Recorder { failures, ..Recorder::default() });
    let limits = WebhookLimits { first_retry: Duration::from_millis(20), ..WebhookLimits::default() };
    let webhooks = Some(WebhookSettings { sender: recorder.clone(), limits });
    let journal = fixture::open("memory:").await;
    (Keyed::with_settings(journal, Settings { webhooks, ..Settings::default() }).await, recorder)
}

fn create(url: &str, kinds: &[&str]) -> proto::CreateWebhookRequest {
    let kinds = kinds.iter().map(|&kind| kind.to_owned()).collect();
    proto::CreateWebhookRequest { url: url.to_owned(), kinds, request_id: None }
}

/// Waits until a condition holds.
async fn until(condition: impl Fn() -> bool) {
    let waited = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waited).await.expect("within a minute");
}

#[tokio::test]
async fn every_event_of_the_owners_matches_is_sent_until_it_is_taken() {
    let (keyed, recorder) = start(2).await;
    keyed.play.create_webhook(&keyed.app, create("https://shop.example/", &[])).await.unwrap();
    let id = keyed.create(Visibility::Private).await;
    keyed.claim(&keyed.app, &id, 0).await.unwrap();
    until(|| keyed.play.webhook_attempts(AttemptResult::Delivered) >= 2).await;
    assert_eq!(keyed.play.webhook_attempts(AttemptResult::Rejected), 2);

    let sent = recorder.sent.lock().unwrap().clone();
    // The first event is sent again until it is taken; only then do the others follow, each once.
    let seqs: Vec<u32> = sent.iter().map(|sent| sent.seq).collect();
    assert_eq!(seqs, [1, 1, 1, 2]);
    assert_eq!(sent[0], sent[1]);
    assert_ne!(sent[2].id, sent[3].id);
}

#[tokio::test]
async fn only_the_kinds_asked_for_are_sent() {
    let (keyed, recorder) = start(0).await;
    let request = create("https://shop.example/", &["seat_claimed"]);
    keyed.play.create_webhook(&keyed.app, request).await.unwrap();
    let id = keyed.create(Visibility::Public).await;
    keyed.claim(&keyed.app, &id, 0).await.unwrap();
    keyed.claim(&keyed.app, &id, 1).await.unwrap();
    until(|| recorder.sent.lock().unwrap().len() >= 2).await;
    let kinds: Vec<String> = recorder.sent.lock().unwrap().iter().map(|sent| sent.kind.clone()).collect();
    assert_eq!(kinds, ["seat_claimed", "seat_claimed"]);
}

#[tokio::test]
async fn a_url_is_checked_by_its_length_and_by_the_transport() {
    let (keyed, _) = start(0).await;
    let long = |length: usize| format!("https://{}", "a".repeat(length - "https://".len()));
    keyed.play.create_webhook(&keyed.app, create(&long(2048), &[])).await.unwrap();
    for url in [String::new(), long(2049), "http://shop.example/".to_owned()] {
        let refusal = keyed.play.create_webhook(&keyed.app, create(&url, &[])).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, "url"));
    }
}

#[test]
fn results_have_the_names_that_the_metrics_page_lists() {
    let names = AttemptResult::ALL.map(AttemptResult::as_str);
    assert_eq!(names, ["delivered", "rejected", "timed_out", "address_refused", "unreachable"]);
    let page = include_str!("../../../../docs/telemetry.md");
    for name in names {
        assert!(page.contains(&format!("`{name}`")), "docs/telemetry.md does not list {name}");
    }
}
