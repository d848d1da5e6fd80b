//! Calls of every RPC, each of which can be made over gRPC or REST, or as the documented commands.

mod shell;
mod steps;

use std::collections::BTreeSet;

use http::Method;
use play::{ApiKey, KeyRing, Role};
use serde_json::{Value, json};
use server::{Config, WebhookConfig};

use crate::stage::{Backend, Http, Receiver, Stage, Storage, credential_header, grpc_json, refused};
use shell::by_shell;
use steps::{Step, script};

pub(crate) use shell::run_pages;
pub(crate) use steps::Caller;

/// The protocol or the program that makes a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Transport {
    Grpc,
    Rest,
    /// The command for curl, which is at this path, where an RPC is called for the first time.
    Curl(String),
    /// The command for grpcurl.
    Grpcurl(String),
}

/// The outcome of a call: a response, all frames of a stream, or `{"code", "message", "reason"}`.
pub(crate) struct Outcome {
    pub(crate) rpc: &'static str,
    pub(crate) request: Value,
    pub(crate) caller: Caller,
    pub(crate) response: Result<Value, Value>,
}

/// A service with an app's API key and a receiver of its webhook.
pub(crate) struct Club {
    pub(crate) stage: Stage,
    receiver: Receiver,
    key: String,
    /// The newest match created, its seats' tokens, and the newest webhook.
    match_id: String,
    tokens: Vec<String>,
    webhook_id: String,
}

impl Club {
    pub(crate) async fn open() -> Self {
        let (key, secret) = ApiKey::generate("club", Role::App).unwrap();
        let webhooks = WebhookConfig {
            webhook_allow_http: true,
            webhook_allow_private_networks: true,
            ..WebhookConfig::default()
        };
        let storage = Storage::here(Backend::Memory).await;
        let api_keys = KeyRing::new(vec![key]).unwrap();
        let config = Config { api_keys, webhooks, ..storage.config() };
        let (stage, receiver) = (Stage::with(config).await, Receiver::start());
        let (match_id, tokens, webhook_id) = (String::new(), Vec::new(), String::new());
        Self { stage, receiver, key: secret, match_id, tokens, webhook_id }
    }

    /// Replaces the placeholders of a step.
    fn filled(&self, text: &str) -> String {
        let url = self.receiver.url("/events");
        text.replace("$MATCH", &self.match_id)
            .replace("$WEBHOOK", &self.webhook_id)
            .replace("$RECEIVER", &url)
    }

    fn credential(&self, caller: Caller) -> Option<&str> {
        match caller {
            Caller::Nobody => None,
            Caller::App => Some(&self.key),
            Caller::Seat(seat) => Some(&self.tokens[seat]),
        }
    }

    /// Remembers what later steps refer to.
    fn learn(&mut self, rpc: &str, response: &Value) {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        match rpc {
            "MatchService/CreateMatch" => {
                self.match_id = text(&response["match"]["matchId"]);
                self.tokens.clear();
            }
            "MatchService/ClaimSeat" => self.tokens.push(text(&response["seatToken"])),
            "MatchService/RotateSeatToken" => self.tokens[0] = text(&response["seatToken"]),
            "WebhookService/CreateWebhook" => self.webhook_id = text(&response["webhook"]["webhookId"]),
            _ => {}
        }
    }
}

/// Makes all calls of the script.
pub(crate) async fn run_script(club: &mut Club, transport: &Transport) -> Vec<Outcome> {
    let document = Http::of(&club.stage.address).get("/openapi.json", &[]).await.json();
    let (mut outcomes, mut seen) = (Vec::new(), BTreeSet::new());
    for step in script() {
        let request: Value = serde_json::from_str(&club.filled(&step.request.to_string())).unwrap();
        let first = seen.insert(step.rpc);
        let response = match transport {
            Transport::Grpc => by_grpc(club, &step, &request).await,
            Transport::Curl(program) | Transport::Grpcurl(program) if first => {
                let label = if matches!(transport, Transport::Curl(_)) { "curl" } else { "grpcurl" };
                Ok(by_shell(club, &step, &document, label, program).await)
            }
            _ => by_rest(club, &step, &request).await,
        };
        if let Ok(response) = &response {
            club.learn(step.rpc, response);
        }
        outcomes.push(Outcome { rpc: step.rpc, request, caller: step.caller, response });
    }
    outcomes
}

async fn by_grpc(club: &Club, step: &Step, request: &Value) -> Result<Value, Value> {
    let credential = club.credential(step.caller);
    let outcome = grpc_json(club.stage.connect().await, step.rpc, request, credential).await;
    outcome.map_err(|status| {
        let (code, message) = (status.code(), status.message().to_owned());
        let reason = refused(Err::<(), _>(status)).reason;
        json!({"code": format!("{code:?}").to_lowercase(), "message": message, "reason": reason})
    })
}

async fn by_rest(club: &Club, step: &Step, request: &Value) -> Result<Value, Value> {
    let http = Http::of(&club.stage.address);
    let credential = club.credential(step.caller).map(credential_header);
    let headers: Vec<(&str, &str)> = credential.iter().map(|(name, value)| (*name, &**value)).collect();
    let target = club.filled(step.target);
    // Of a stream of requests, the script sends one.
    let lines = step.rpc == "MatchService/SubmitMoves";
    let content_type = if lines { "application/x-ndjson" } else { "application/json" };
    let response = match step.method {
        Method::POST | Method::PATCH => {
            let headers = [&[("content-type", content_type)], &*headers].concat();
            http.send(step.method.clone(), &target, &headers, request.to_string()).await
        }
        _ => http.send(step.method.clone(), &target, &headers, "").await,
    };
    if response.status.is_success() {
        let mut lines = response.text().lines().map(|line| serde_json::from_str(line).unwrap());
        let streams = response.header("content-type") == "application/x-ndjson";
        return Ok(if streams { lines.collect() } else { lines.next().unwrap() });
    }
    let error = response.json()["error"].clone();
    let code = error["status"].as_str().unwrap().replace('_', "").to_lowercase();
    Err(json!({"code": code, "message": error["message"], "reason": error["reason"]}))
}
