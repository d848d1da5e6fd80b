//! Everything about a match's log that a viewer can fetch, over gRPC and REST.

use serde_json::{Value, json};

use crate::stage::{Http, Stage, credential_header, grpc_json, masked_log};

/// One line of a response, as received.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) method: &'static str,
    pub(super) text: String,
}

/// A line with match-specific values masked, comparable with another match's.
#[derive(Debug, PartialEq)]
pub(super) struct MaskedLine {
    method: &'static str,
    value: Value,
    size: usize,
}

impl Line {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(super) fn masked(&self, match_id: &str) -> MaskedLine {
        MaskedLine {
            method: self.method,
            value: masked_log::line(&self.json(), match_id),
            size: self.text.len(),
        }
    }
}

/// Fetches everything that this viewer can read of a match's log. The feed ignores seats; without API keys it
/// is open to everyone.
pub(super) async fn fetch(stage: &Stage, match_id: &str, token: Option<&str>) -> Vec<Line> {
    let mut fetched = Vec::new();
    let path = format!("/v1/matches/{match_id}");
    let id = json!({ "matchId": match_id });
    for (method, request, target) in [
        ("LogService/ExportLog", id.clone(), format!("{path}/log")),
        ("LogService/SignHead", id, format!("{path}/head")),
        ("LogService/StreamFeed", json!({"follow": false}), "/v1/feed?follow=false".to_owned()),
    ] {
        let answer = grpc_json(stage.connect().await, method, &request, token).await.unwrap();
        let lines = if let Value::Array(lines) = answer { lines } else { vec![answer] };
        let grpc: Vec<String> = lines.iter().map(Value::to_string).collect();
        let header = token.map(credential_header);
        let headers: Vec<(&str, &str)> = header.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = Http::of(&stage.address).get(&target, &headers).await;
        assert_eq!(answer.status, 200, "{method}: {}", answer.text());
        let rest: Vec<String> = answer.text().lines().map(str::to_owned).collect();
        assert_eq!(grpc.len(), rest.len(), "{method}: gRPC and REST differ in length");
        let concerns = |line: &String| method != "LogService/StreamFeed" || line.contains(match_id);
        fetched.extend(grpc.into_iter().chain(rest).filter(concerns).map(|text| Line { method, text }));
    }
    fetched
}
