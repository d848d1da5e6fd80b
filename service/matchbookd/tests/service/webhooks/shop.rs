//! A service with two apps and an admin, called over REST.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use http::Method;
use play::{ApiKey, KeyRing, Role};
use serde_json::{Value, json};
use server::{Config, WebhookConfig};
use sha2::Sha256;

use crate::stage::{Answer, Backend, Http, Received, Receiver, Stage, Storage};

/// API keys by name: the secret, and the line that configures it.
pub(super) struct Keys {
    pub(super) shop: String,
    pub(super) rival: String,
    pub(super) auditor: String,
    pub(super) boss: String,
    pub(super) ring: KeyRing,
    /// For the configuration of the program.
    pub(super) lines: Vec<String>,
}

impl Keys {
    pub(super) fn new() -> Self {
        let make = |name, role| ApiKey::generate(name, role).unwrap();
        let all = [
            make("shop", Role::App),
            make("rival", Role::App),
            make("auditor", Role::Audit),
            make("boss", Role::Admin),
        ];
        let ring = KeyRing::new(all.iter().map(|(key, _)| key.clone()).collect()).unwrap();
        let lines = all.iter().map(|(key, _)| key.to_string()).collect();
        let [shop, rival, auditor, boss] = all.map(|(_, secret)| secret);
        Self { shop, rival, auditor, boss, ring, lines }
    }

    /// Returns the same keys, of which only these are configured.
    pub(super) fn of(keys: &Keys, configured: &[&str]) -> Self {
        let name = |line: &String| line.split(':').next().unwrap().to_owned();
        let lines = keys.lines.iter().filter(|line| configured.contains(&&*name(line))).cloned();
        let lines: Vec<String> = lines.collect();
        let ring = KeyRing::new(lines.iter().map(|line| line.parse().unwrap()).collect()).unwrap();
        let Keys { shop, rival, auditor, boss, .. } = keys;
        let [shop, rival, auditor, boss] = [shop, rival, auditor, boss].map(String::clone);
        Self { shop, rival, auditor, boss, ring, lines }
    }
}

/// Settings with which receivers on this machine are reached, and retries come soon.
pub(super) fn lenient() -> WebhookConfig {
    WebhookConfig {
        webhook_allow_http: true,
        webhook_allow_private_networks: true,
        webhook_first_retry: Duration::from_millis(20),
        ..WebhookConfig::default()
    }
}

/// A running server, and the keys of its callers.
pub(super) struct Shop {
    pub(super) stage: Stage,
    pub(super) keys: Keys,
    pub(super) http: Http,
}

/// A webhook as its owner created it.
pub(super) struct Created {
    pub(super) id: String,
    pub(super) secret: String,
}

impl Shop {
    pub(super) async fn open(webhooks: WebhookConfig) -> Self {
        let storage = Storage::here(Backend::Memory).await;
        Self::on(&storage, webhooks).await
    }

    pub(super) async fn on(storage: &Storage, webhooks: WebhookConfig) -> Self {
        Self::with(storage, webhooks, Keys::new()).await
    }

    pub(super) async fn with(storage: &Storage, webhooks: WebhookConfig, keys: Keys) -> Self {
        let config = Config { webhooks, api_keys: keys.ring.clone(), ..storage.config() };
        let stage = Stage::with(config).await;
        let http = Http::of(&stage.address);
        Self { stage, keys, http }
    }

    pub(super) async fn close(self) {
        self.stage.close().await;
    }
}

/// Sends a request with an API key.
pub(super) async fn call(http: &Http, method: Method, path: &str, key: &str, body: Value) -> Answer {
    let bearer = format!("Bearer {key}");
    let mut headers = vec![("content-type", "application/json")];
    if !key.is_empty() {
        headers.push(("authorization", &bearer));
    }
    let body =
        if method == Method::GET || method == Method::DELETE { String::new() } else { body.to_string() };
    http.send(method, path, &headers, body).await
}

/// Creates a webhook to a path of a receiver.
pub(super) async fn create(http: &Http, key: &str, receiver: &Receiver, path: &str) -> Created {
    create_of(http, key, &receiver.url(path), &[]).await
}

/// Creates a webhook for some kinds of events.
pub(super) async fn create_of(http: &Http, key: &str, url: &str, kinds: &[&str]) -> Created {
    let body = json!({"url": url, "kinds": kinds});
    let answer = call(http, Method::POST, "/v1/webhooks", key, body).await.json();
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    Created { id: text(&answer["webhook"]["webhookId"]), secret: text(&answer["secret"]) }
}

/// Returns a webhook.
pub(super) async fn webhook(http: &Http, key: &str, id: &str) -> Value {
    call(http, Method::GET, &format!("/v1/webhooks/{id}"), key, Value::Null).await.json()["webhook"].clone()
}

/// Creates a private match of an app and claims both seats: four events. Returns its id and the seats'
/// tokens.
pub(super) async fn start_match(http: &Http, key: &str) -> (String, [String; 2]) {
    let body = json!({
        "gameId": "angels-and-demons",
        "options": {"angelsAndDemons": {"rows": 4, "cols": 4, "turns": 3}},
        "visibility": "VISIBILITY_PRIVATE",
    });
    let created = call(http, Method::POST, "/v1/matches", key, body).await.json();
    let id = created["match"]["matchId"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let path = format!("/v1/matches/{id}/seats/{seat}:claim");
        let claimed =
            call(http, Method::POST, &path, key, json!({"player": {"displayName": "Ann"}})).await.json();
        tokens.push(claimed["seatToken"].as_str().unwrap_or_else(|| panic!("{claimed}")).to_owned());
    }
    (id, tokens.try_into().unwrap())
}

/// Makes a move as a seat.
pub(super) async fn make_move(http: &Http, id: &str, token: &str, notation: &str) {
    let path = format!("/v1/matches/{id}/moves");
    let answer = http.post(&path, &[("matchbook-seat-token", token)], &json!({"notation": notation})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// Returns a match's events as its owner sees them.
pub(super) async fn events(http: &Http, key: &str, id: &str) -> Vec<Value> {
    let path = format!("/v1/matches/{id}/events?pageSize=500");
    let page = call(http, Method::GET, &path, key, Value::Null).await.json();
    page["events"].as_array().unwrap_or_else(|| panic!("{page}")).clone()
}

/// Computes the signature of a delivery as a receiver does.
pub(super) fn signature(secret: &str, received: &Received) -> String {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.", received.id(), received.header("webhook-timestamp")).as_bytes());
    mac.update(&received.body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}
