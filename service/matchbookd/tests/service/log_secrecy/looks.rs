//! Everything about a match's log that a viewer can fetch, through both doors.

use serde_json::{Value, json};

use crate::stage::{Http, Stage, grpc_json, masked_log};

/// One line of an answer, as it came.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) of: &'static str,
    pub(super) line: String,
}

/// A line as it may be compared with another match's.
#[derive(Debug, PartialEq)]
pub(super) struct Masked {
    of: &'static str,
    line: Value,
    size: usize,
}

impl Look {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.line).unwrap()
    }

    pub(super) fn masked(&self, match_id: &str) -> Masked {
        Masked { of: self.of, line: masked_log::line(&self.json(), match_id), size: self.line.len() }
    }
}

/// What this viewer can fetch of this match's log. The feed knows no seats: a service without keys gives it to all.
pub(super) async fn at(stage: &Stage, match_id: &str, eyes: Option<&str>) -> Vec<Look> {
    let mut looks = Vec::new();
    let at = format!("/v1/matches/{match_id}");
    let id = json!({ "matchId": match_id });
    for (of, request, target) in [
        ("LogService/ExportLog", id.clone(), format!("{at}/log")),
        ("LogService/SignHead", id, format!("{at}/head")),
        ("LogService/StreamFeed", json!({"follow": false}), "/v1/feed?follow=false".to_owned()),
    ] {
        let answer = grpc_json(stage.connect().await, of, &request, eyes).await.unwrap();
        let lines = if let Value::Array(lines) = answer { lines } else { vec![answer] };
        let grpc: Vec<String> = lines.iter().map(Value::to_string).collect();
        let bearer = eyes.map(|eyes| format!("Bearer {eyes}"));
        let headers: Vec<(&str, &str)> =
            bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
        let answer = Http::of(&stage.address).get(&target, &headers).await;
        assert_eq!(answer.status, 200, "{of}: {}", answer.text());
        let rest: Vec<String> = answer.text().lines().map(str::to_owned).collect();
        assert_eq!(grpc.len(), rest.len(), "{of} through the two doors");
        let concerns = |line: &String| of != "LogService/StreamFeed" || line.contains(match_id);
        looks.extend(grpc.into_iter().chain(rest).filter(concerns).map(|line| Look { of, line }));
    }
    looks
}
