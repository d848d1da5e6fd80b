//! gRPC and REST return the same JSON, and the examples of the OpenAPI document are real responses.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::rest_script::{Transport, run_script};
use crate::stage::{Backend, Stage, json_spelling};

/// Replaces values that differ between two matches by constants of the same form.
fn masked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), masked_field(key, value))).collect()
        }
        Value::Array(items) => items.iter().map(masked).collect(),
        other => other.clone(),
    }
}

fn masked_field(key: &str, value: &Value) -> Value {
    match (key, value) {
        ("matchId", Value::String(id)) if id.len() == 36 => json!("0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7"),
        ("seatToken", Value::String(token)) if !token.is_empty() => {
            json!("WUGy5T0n0aMZkK0v0cJH2wq1u8Xf6s3bR4dE7hL9pQk")
        }
        ("nextPageToken", Value::String(token)) if !token.is_empty() => {
            json!("mbp_WUGy5T0n0aMZkK0v0cJH2wAAAAQAAAAC")
        }
        ("requestId", _) => json!("5f0c2a54-3e0b-4d7e-9a53-6c1de1f0a7b4"),
        ("rulesText", Value::String(text)) => json!(text.lines().next().unwrap_or_default()),
        (
            "hash" | "headHash" | "afterHash" | "seedCommitment" | "commitment" | "parentHash" | "seedBytes",
            Value::String(bytes),
        ) if bytes.len() == 44 => {
            json!("3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=")
        }
        (key, Value::String(_)) if key.ends_with("Time") => json!("2026-11-22T12:00:00.123456Z"),
        (_, value) => masked(value),
    }
}

/// Returns a refusal over gRPC as REST spells it.
fn in_json_spelling(refusal: &Value) -> Value {
    let mut refusal = refusal.clone();
    refusal["message"] = json_spelling(refusal["message"].as_str().unwrap()).into();
    refusal
}

#[tokio::test]
async fn grpc_and_rest_return_the_same_json() {
    let (one, other) = (Stage::on(Backend::Memory).await, Stage::on(Backend::Memory).await);
    let (grpc, rest) = (run_script(&one, Transport::Grpc).await, run_script(&other, Transport::Rest).await);
    assert_eq!(grpc.len(), rest.len());
    for (index, (grpc, rest)) in grpc.iter().zip(&rest).enumerate() {
        let (a, b) = (grpc.response.as_ref(), rest.response.as_ref());
        let a = a.map(masked).map_err(in_json_spelling);
        assert_eq!(a, b.map(masked).map_err(Value::clone), "step {index}, {}", grpc.rpc);
    }
    let refused: Vec<&Value> = rest.iter().filter_map(|outcome| outcome.response.as_ref().err()).collect();
    assert_eq!(refused.len(), 9, "{refused:?}");
    one.close().await;
    other.close().await;
}

#[tokio::test]
async fn the_openapi_examples_are_real_responses() {
    let stage = Stage::on(Backend::Memory).await;
    let mut examples: BTreeMap<String, Value> = BTreeMap::new();
    for outcome in run_script(&stage, Transport::Rest).await {
        let Ok(response) = outcome.response else { continue };
        let mut example = json!({"answer": masked(&response)});
        if let Some(request) = &outcome.request {
            example["request"] = masked(request);
            // The path contains these fields.
            example["request"].as_object_mut().unwrap().remove("matchId");
            example["request"].as_object_mut().unwrap().remove("seat");
        }
        let (service, rpc) = outcome.rpc.split_once('/').unwrap();
        examples.entry(format!("matchbook.v1.{service}.{rpc}")).or_insert(example);
    }
    stage.close().await;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/src/rest/openapi/examples.json");
    let text = serde_json::to_string_pretty(&examples).unwrap() + "\n";
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == text,
        "the examples differ; see docs/testing.md, MATCHBOOK_BLESS"
    );
}
