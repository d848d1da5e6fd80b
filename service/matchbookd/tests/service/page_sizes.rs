//! Every list in pages, over both doors: sizes of 0 and beyond the maximum, malformed sizes and tokens, and a
//! walk over all pages.

use std::collections::BTreeSet;
use std::time::Duration;

use http::Method;
use play::{ApiKey, KeyRing, Role, ServiceKey, Signing};
use prost_types::Timestamp;
use serde_json::{Value, json};
use server::{Config, WebhookConfig};
use tonic::Code;

use crate::stage::{
    Answer, Backend, Http, Receiver, Reply, Stage, Storage, Table, credential_header, grpc_json, refused,
};

/// A list: its RPC and path, the field with its items, and how many there are.
struct List {
    rpc: &'static str,
    path: String,
    request: Value,
    items: &'static str,
    caller: Option<String>,
    count: usize,
    default: usize,
    maximum: usize,
}

/// A service in which every list has several pages.
struct Lists {
    stage: Stage,
    key: String,
    table: Table,
    webhook_id: String,
}

/// Matches of the app, more than fit on the largest page.
const MATCHES: usize = 205;

impl Lists {
    async fn open() -> Self {
        let (api_key, key) = ApiKey::generate("shop", Role::App).unwrap();
        let signing = Signing::default();
        let retired = [1, 2].map(|n| {
            let until = Timestamp { seconds: i64::from(n) * 1000, nanos: 0 };
            ServiceKey::from_bytes([n; 32]).retired(signing.clone(), until)
        });
        let webhooks = WebhookConfig {
            webhook_allow_http: true,
            webhook_allow_private_networks: true,
            webhook_first_retry: Duration::from_millis(20),
            webhook_give_up: Duration::from_secs(1),
            ..WebhookConfig::default()
        };
        let storage = Storage::here(Backend::Memory).await;
        let config = Config {
            api_keys: KeyRing::new(vec![api_key]).unwrap(),
            signing: Signing { retired: retired.to_vec(), ..signing },
            webhooks,
            ..storage.config()
        };
        let stage = Stage::with(config).await;
        let mut lists = Self {
            stage,
            key,
            table: Table { match_id: String::new(), tokens: Default::default() },
            webhook_id: String::new(),
        };
        lists.fill().await;
        lists
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let (name, value) = credential_header(&self.key);
        let answer = Http::of(&self.stage.address).post(path, &[(name, &value)], &body).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// Makes matches, webhooks and the dead letters of one of them.
    async fn fill(&mut self) {
        let receiver = Receiver::start();
        receiver.answer(|_| Reply::Status(500));
        for (path, kinds) in [("/a", vec![]), ("/b", vec!["match_ended"]), ("/c", vec!["match_ended"])] {
            let body = json!({"url": receiver.url(path), "kinds": kinds});
            let created = self.post("/v1/webhooks", body).await;
            if path == "/a" {
                created["webhook"]["webhookId"].as_str().unwrap().clone_into(&mut self.webhook_id);
            }
        }
        let options = json!({"angelsAndDemons": {"rows": 4, "cols": 4}});
        let body = json!({"gameId": "angels-and-demons", "options": options});
        let created = self.post("/v1/matches", body.clone()).await;
        created["match"]["matchId"].as_str().unwrap().clone_into(&mut self.table.match_id);
        for seat in 0..2 {
            let path = format!("/v1/matches/{}/seats/{seat}:claim", self.table.match_id);
            let claimed = self.post(&path, json!({"player": {"displayName": "Ann"}})).await;
            claimed["seatToken"].as_str().unwrap().clone_into(&mut self.table.tokens[seat]);
        }
        let path = format!("/v1/webhooks/{}", self.webhook_id);
        let (name, value) = credential_header(&self.key);
        let http = Http::of(&self.stage.address);
        while http.get(&path, &[(name, &value)]).await.json()["webhook"]["deadLetterCount"] != 4 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // No more dead letters while the test lists them.
        let headers = [(name, value.as_str()), ("content-type", "application/json")];
        let disabled = http.send(Method::PATCH, &path, &headers, r#"{"enabled": false}"#).await;
        assert_eq!(disabled.status, 200);
        for _ in 1..MATCHES {
            self.post("/v1/matches", body.clone()).await;
        }
    }

    fn all(&self) -> Vec<List> {
        let list = |rpc, path: &str, items, count, default, maximum| List {
            rpc,
            path: path.to_owned(),
            request: json!({}),
            items,
            caller: Some(self.key.clone()),
            count,
            default,
            maximum,
        };
        let of_match = |list: List| List { request: json!({"matchId": self.table.match_id}), ..list };
        let of_webhook = |list: List| List { request: json!({"webhookId": self.webhook_id}), ..list };
        let at = format!("/v1/matches/{}", self.table.match_id);
        let letters = format!("/v1/webhooks/{}/deadLetters", self.webhook_id);
        let moves = format!("{at}/legalMoves");
        let moves = list("MatchService/ListLegalMoves", &moves, "moves", 8, 1000, 10_000);
        vec![
            list("GameService/ListGames", "/v1/games", "games", 4, 50, 200),
            list("LogService/ListKeys", "/v1/keys", "keys", 3, 100, 500),
            list("MatchService/ListMatches", "/v1/matches", "matches", MATCHES, 50, 200),
            of_match(list("MatchService/ListEvents", &format!("{at}/events"), "events", 4, 100, 500)),
            of_match(List { caller: Some(self.table.tokens[0].clone()), ..moves }),
            list("WebhookService/ListWebhooks", "/v1/webhooks", "webhooks", 3, 50, 200),
            of_webhook(list("WebhookService/ListDeadLetters", &letters, "deadLetters", 4, 50, 200)),
        ]
    }

    /// Lists a page over both doors, which must be equal.
    async fn page(&self, list: &List, size: Option<u64>, token: &str) -> (Vec<Value>, String) {
        let (mut request, mut query) = (list.request.clone(), format!("?pageToken={token}"));
        request["pageToken"] = token.into();
        if let Some(size) = size {
            request["pageSize"] = size.into();
            query += &format!("&pageSize={size}");
        }
        let caller = list.caller.as_deref();
        let over_grpc = grpc_json(self.stage.connect().await, list.rpc, &request, caller).await.unwrap();
        let over_rest = self.get(list, &query).await.json();
        assert_eq!(over_grpc, over_rest, "{} {size:?}", list.rpc);
        let next = over_rest["nextPageToken"].as_str().unwrap().to_owned();
        (over_rest[list.items].as_array().unwrap().clone(), next)
    }

    async fn get(&self, list: &List, query: &str) -> Answer {
        let (name, value) = credential_header(list.caller.as_deref().unwrap());
        Http::of(&self.stage.address).get(&format!("{}{query}", list.path), &[(name, &value)]).await
    }
}

#[tokio::test]
async fn every_list_comes_in_pages_over_both_doors() {
    let lists = Lists::open().await;
    let mut listed: Vec<&str> = Vec::new();
    for list in lists.all() {
        listed.push(list.rpc.split_once('/').unwrap().1);
        let least = |size: usize| size.min(list.count);
        let beyond = u64::try_from(list.maximum).unwrap() + 1;
        for (size, expected) in [
            (None, least(list.default)),
            (Some(0), least(list.default)),
            (Some(2), 2),
            (Some(beyond), least(list.maximum)),
            (Some(u64::from(u32::MAX)), least(list.maximum)),
        ] {
            let (items, next) = lists.page(&list, size, "").await;
            assert_eq!(items.len(), expected, "{} {size:?}", list.rpc);
            assert_eq!(next.is_empty(), expected == list.count, "{} {size:?}", list.rpc);
        }
        let size = u64::try_from(list.count / 3 + 1).unwrap();
        let (mut all, mut token, mut pages) = (Vec::new(), String::new(), 0);
        while pages == 0 || !token.is_empty() {
            let (items, next) = lists.page(&list, Some(size), &token).await;
            all.extend(items);
            (token, pages) = (next, pages + 1);
        }
        let distinct: BTreeSet<String> = all.iter().map(Value::to_string).collect();
        assert_eq!((all.len(), distinct.len()), (list.count, list.count), "{}: each once", list.rpc);
        assert!((2..=3).contains(&pages), "{}: {pages} pages", list.rpc);
    }
    assert_eq!(listed, rpcs_with_page_size(), "no list is left out");
    lists.stage.close().await;
}

/// Returns the names of all RPCs whose request has a `page_size`.
fn rpcs_with_page_size() -> Vec<String> {
    let services = wire::DESCRIPTORS.services();
    let rpcs = services.flat_map(|service| service.methods().collect::<Vec<_>>());
    let paged = rpcs.filter(|rpc| rpc.input().get_field_by_name("page_size").is_some());
    let mut names: Vec<String> = paged.map(|rpc| rpc.name().to_owned()).collect();
    let order = ["ListGames", "ListKeys", "ListMatches", "ListEvents", "ListLegalMoves", "ListWebhooks"];
    names.sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(order.len()));
    names
}

#[tokio::test]
async fn malformed_sizes_and_tokens_are_refused() {
    let lists = Lists::open().await;
    for list in lists.all() {
        // The protobuf field is unsigned and has 32 bits, so that only JSON can carry these.
        for size in ["-1", "1.5", "4294967296", "two", "0x10", "", "1e99"] {
            let error = lists.get(&list, &format!("?pageSize={size}")).await.refused(400, "INVALID_ARGUMENT");
            let named = error["details"].to_string().contains(r#""field":"pageSize""#);
            assert!(named, "{} {size}: {error}", list.rpc);
        }
        for token in ["mbp_", "mbp_AAAABA", "nonsense", "%C3%A9"] {
            let error =
                lists.get(&list, &format!("?pageToken={token}")).await.refused(400, "INVALID_ARGUMENT");
            assert!(error["details"].to_string().contains("pageToken"), "{} {token}: {error}", list.rpc);
        }
        let mut request = list.request.clone();
        request["pageToken"] = "nonsense".into();
        let channel = lists.stage.connect().await;
        let outcome = grpc_json(channel, list.rpc, &request, list.caller.as_deref()).await;
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "page_token").at("page_token");
    }
    lists.stage.close().await;
}
