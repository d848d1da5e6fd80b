//! gRPC and REST return the same JSON, the examples of the OpenAPI document are real responses, and its
//! commands return them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::rest_script::{Club, Outcome, Transport, run_pages, run_script};
use crate::stage::{Needed, json_spelling, needed};

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
        ("matchId" | "rematchOf", Value::String(id)) if id.len() == 36 => {
            json!("0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7")
        }
        ("matchIds", Value::Array(ids)) => ids.iter().map(|id| masked_field("matchId", id)).collect(),
        ("webhookId", Value::String(_)) => json!("0198f2c0-77a4-7e11-8c0d-5b2f9e8d1a46"),
        ("url", Value::String(_)) => json!("https://club.example/events"),
        ("secret", Value::String(_)) => json!("whsec_3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs="),
        ("cursor", Value::String(text)) if !text.is_empty() => json!("mbc_WUGy5T0n0aMZkK0v0cJH2w"),
        ("publicPart" | "opened", Value::String(text)) if !text.is_empty() => json!("3q2+7wABAgMEBQYH"),
        ("note", Value::String(_)) => {
            json!("matchbook\n0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7\n...\n\n\u{2014} matchbook 3q2+7w...\n")
        }
        ("publicKey", Value::String(_)) => {
            json!("matchbook+3q2+7wAB+AgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICE=")
        }
        ("recordTimeUs", _) => json!("1795435200123456"),
        ("seatToken", Value::String(token)) if !token.is_empty() => {
            json!("mbs_WUGy5T0n0aMZkK0v0cJH2wq1u8Xf6s3bR4dE7hL9pQk")
        }
        ("nextPageToken", Value::String(token)) if !token.is_empty() => {
            json!("mbp_WUGy5T0n0aMZkK0v0cJH2wAAAAQAAAAC")
        }
        ("rulesText", Value::String(text)) => json!(text.lines().next().unwrap_or_default()),
        (
            "hash" | "headHash" | "afterHash" | "seedCommitment" | "commitment" | "parentHash" | "seedBytes",
            Value::String(bytes),
        ) if bytes.len() == 44 => {
            json!("3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=")
        }
        (key, Value::String(_)) if key.ends_with("Time") || key.ends_with("Until") => {
            json!("2026-11-22T12:00:00.123456Z")
        }
        (_, value) => masked(value),
    }
}

/// Returns a refusal over gRPC as REST spells it.
fn in_json_spelling(refusal: &Value) -> Value {
    let mut refusal = refusal.clone();
    refusal["message"] = json_spelling(refusal["message"].as_str().unwrap()).into();
    refusal
}

/// How many frames of a stream an example shows.
const FRAMES: usize = 3;

#[tokio::test]
async fn grpc_and_rest_return_the_same_json() {
    let (mut one, mut other) = (Club::open().await, Club::open().await);
    let grpc = run_script(&mut one, &Transport::Grpc).await;
    let rest = run_script(&mut other, &Transport::Rest).await;
    assert_eq!(grpc.len(), rest.len());
    for (index, (grpc, rest)) in grpc.iter().zip(&rest).enumerate() {
        let (a, b) = (grpc.response.as_ref(), rest.response.as_ref());
        let a = a.map(masked).map_err(in_json_spelling);
        assert_eq!(a, b.map(masked).map_err(Value::clone), "step {index}, {}", grpc.rpc);
    }
    let refused: Vec<&Value> = rest.iter().filter_map(|outcome| outcome.response.as_ref().err()).collect();
    assert_eq!(refused.len(), 9, "{refused:?}");
    one.stage.close().await;
    other.stage.close().await;
}

fn examples_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/src/rest/openapi/examples.json")
}

/// Returns the first call of each RPC by its full name.
fn examples(outcomes: &[Outcome]) -> BTreeMap<String, Value> {
    let mut examples = BTreeMap::new();
    for outcome in outcomes {
        let (service, rpc) = outcome.rpc.split_once('/').unwrap();
        let name = format!("matchbook.v1.{service}.{rpc}");
        if examples.contains_key(&name) {
            continue;
        }
        let mut answer = masked(outcome.response.as_ref().expect("the first call of each RPC succeeds"));
        if let Value::Array(frames) = &mut answer {
            frames.truncate(FRAMES);
        }
        let example = json!({
            "answer": answer,
            "request": masked(&outcome.request),
            "credential": outcome.caller.scheme(),
            "seat": outcome.caller.seat(),
        });
        examples.insert(name, example);
    }
    examples
}

#[tokio::test]
async fn the_openapi_examples_are_real_responses() {
    let mut club = Club::open().await;
    let examples = examples(&run_script(&mut club, &Transport::Rest).await);
    club.stage.close().await;
    let services = wire::DESCRIPTORS.services();
    let rpcs: BTreeSet<String> = services
        .flat_map(|service| service.methods().map(|rpc| rpc.full_name().to_owned()).collect::<Vec<_>>())
        .collect();
    assert_eq!(examples.keys().cloned().collect::<BTreeSet<_>>(), rpcs, "each RPC has an example");
    let text = serde_json::to_string_pretty(&examples).unwrap() + "\n";
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        std::fs::write(examples_file(), text).unwrap();
        return;
    }
    assert!(
        std::fs::read_to_string(examples_file()).unwrap() == text,
        "the examples differ; see docs/testing.md, MATCHBOOK_BLESS"
    );
}

/// Returns whether all of a response stands in a documented one, which also has fields that are 0 or empty.
fn is_part(response: &Value, documented: &Value) -> bool {
    match (response, documented) {
        (Value::Object(fields), Value::Object(all)) => {
            fields.iter().all(|(name, value)| all.get(name).is_some_and(|known| is_part(value, known)))
        }
        (Value::Array(items), Value::Array(all)) => {
            items.len() >= all.len() && items.iter().zip(all).all(|(item, known)| is_part(item, known))
        }
        (one, other) => one == other,
    }
}

async fn run_commands(transport: Transport) {
    let documented: BTreeMap<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(examples_file()).unwrap()).unwrap();
    let mut club = Club::open().await;
    let found = examples(&run_script(&mut club, &transport).await);
    for (rpc, example) in &found {
        let expected = &documented[rpc]["answer"];
        let same = match &transport {
            Transport::Grpcurl(_) => is_part(&example["answer"], expected),
            _ => example["answer"] == *expected,
        };
        assert!(same, "{rpc}: {transport:?} returned {:#}\ndocumented is {expected:#}", example["answer"]);
    }
    if let Transport::Curl(program) = &transport {
        assert_eq!(run_pages(&club, program).await, 4, "two drawings, /livez and /readyz");
    }
    club.stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_curl_commands_return_the_documented_responses() {
    let Some(curl) = needed(Needed::Curl) else { return };
    run_commands(Transport::Curl(curl)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_grpcurl_commands_return_the_documented_responses() {
    let Some(grpcurl) = needed(Needed::Grpcurl) else { return };
    run_commands(Transport::Grpcurl(grpcurl)).await;
}
