//! The documented commands, run by a shell.

use std::process::Command;

use serde_json::{Deserializer, Value};
use uuid::Uuid;

use super::{Club, Step};
use crate::stage::Http;

/// Runs the command of a step's RPC and returns what it printed: a response, or all frames of a stream.
pub(super) async fn by_shell(
    club: &Club,
    step: &Step,
    document: &Value,
    label: &str,
    program: &str,
) -> Value {
    let (_, name) = step.rpc.split_once('/').unwrap();
    let command = command(document, name, label);
    let printed = run(club, &command, label, program).await;
    let messages = Deserializer::from_str(&printed).into_iter::<Value>();
    let mut messages: Vec<Value> = messages.map(Result::unwrap).collect();
    let streams = wire::DESCRIPTORS
        .services()
        .flat_map(|service| service.methods().collect::<Vec<_>>())
        .any(|method| method.name() == name && method.is_server_streaming());
    if streams { messages.into() } else { messages.remove(0) }
}

/// Returns the command of an operation for a program.
fn command(document: &Value, operation: &str, label: &str) -> String {
    let paths = document["paths"].as_object().unwrap().values();
    let mut operations = paths.flat_map(|item| item.as_object().unwrap().values());
    let operation = operations.find(|one| one["operationId"] == operation).unwrap();
    let samples = operation["x-codeSamples"].as_array().unwrap();
    let sample = samples.iter().find(|sample| sample["label"] == label).unwrap();
    sample["source"].as_str().unwrap().to_owned()
}

/// Runs the commands of the operations that are no RPC; returns how many there are.
pub(crate) async fn run_pages(club: &Club, program: &str) -> usize {
    let document = Http::of(&club.stage.address).get("/openapi.json", &[]).await.json();
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|item| item.as_object().unwrap().values());
    let pages = operations.filter(|one| one["x-codeSamples"].as_array().unwrap().len() == 1);
    let names: Vec<&str> = pages.map(|page| page["operationId"].as_str().unwrap()).collect();
    for name in &names {
        let printed = run(club, &command(&document, name, "curl"), "curl", program).await;
        assert!(!printed.is_empty(), "{name}");
    }
    names.len()
}

/// Runs a command with bash and returns its output; it must succeed.
async fn run(club: &Club, command: &str, label: &str, program: &str) -> String {
    let command = command
        .replace("127.0.0.1:7420", &club.stage.address)
        .replace("https://club.example/events", &club.receiver.url("/events"));
    let quiet = if label == "curl" { "-sS --fail-with-body" } else { "" };
    let script = format!(
        "{label}() {{ \"$PROGRAM\" {quiet} \"$@\"; }}\nuuidgen() {{ echo {}; }}\n{command}",
        Uuid::new_v4()
    );
    let mut shell = Command::new("bash");
    shell.arg("-c").arg(script).env("PROGRAM", program).env("SECRET", "a-secret-that-only-this-test-has");
    for (seat, token) in club.tokens.iter().enumerate() {
        shell.env(format!("TOKEN_{seat}"), token);
    }
    shell.env("MATCH", &club.match_id).env("WEBHOOK", &club.webhook_id).env("KEY", &club.key);
    let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command}\n{stdout}{stderr}");
    stdout
}
