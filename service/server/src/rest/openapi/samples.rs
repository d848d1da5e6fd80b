//! The example of each operation as commands for curl and grpcurl, in `x-codeSamples`, which documentation
//! tools show. A test runs every command.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use transcode::{ResponseFormat, one_line};
use url::form_urlencoded;

use super::{API_KEY, SEAT_TOKEN};
use crate::keys::credentials::SEAT_TOKEN_HEADER;

/// Where the service listens by default.
const SERVER: &str = "127.0.0.1:7420";

/// IDs in the examples, and the shell variables that stand for them in commands.
const VARIABLES: [(&str, &str); 2] = [
    ("0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7", "$MATCH"),
    ("0198f2c0-77a4-7e11-8c0d-5b2f9e8d1a46", "$WEBHOOK"),
];

/// Fields whose values in examples must not be copied, and what stands for them in commands: an id that is
/// used twice names the same call, and a secret that is printed is none.
const FRESH: [(&str, &str); 2] = [("requestId", "$(uuidgen)"), ("claimSecret", "$SECRET")];

/// Adds the commands of each operation. `examples` has requests and credentials by the RPC's full name.
pub(super) fn add(paths: &mut Value, examples: &BTreeMap<String, Value>) {
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let rpc = rpc(operation);
            let example = rpc.as_ref().and_then(|rpc| examples.get(rpc));
            let header = example.and_then(header);
            let mut samples = vec![sample("curl", &curl(path, method, operation, header.as_deref()))];
            if let (Some(rpc), Some(example)) = (rpc, example) {
                let command = grpcurl(&rpc, &example["request"], header.as_deref());
                samples.push(sample("grpcurl", &command));
            }
            operation["x-codeSamples"] = samples.into();
        }
    }
}

/// Returns the full name of an operation's RPC; pages have none.
fn rpc(operation: &Value) -> Option<String> {
    let (service, name) = (operation["tags"][0].as_str()?, operation["operationId"].as_str()?);
    let service = wire::DESCRIPTORS.services().find(|known| known.name() == service)?;
    Some(format!("{}.{name}", service.full_name()))
}

fn sample(program: &str, command: &str) -> Value {
    let mut source = command.to_owned();
    for (id, variable) in VARIABLES {
        source = source.replace(id, variable);
    }
    json!({"lang": "Shell", "label": program, "source": source})
}

/// Returns a request on one line, with `FRESH` in the place of values that must not be copied.
fn request_line(request: &Value) -> String {
    let mut request = request.clone();
    refresh(&mut request);
    one_line(&request)
}

fn refresh(request: &mut Value) {
    for (name, value) in request.as_object_mut().into_iter().flatten() {
        match FRESH.iter().find(|(field, _)| field == name) {
            Some((_, fresh)) => *value = (*fresh).into(),
            None => refresh(value),
        }
    }
}

/// Returns the body of an example: a request, or of a stream a line for each.
fn body(media_type: &str, example: &Value) -> String {
    if media_type != ResponseFormat::Ndjson.media_type() {
        return request_line(example);
    }
    let lines = example.as_str().unwrap_or_default().lines();
    let requests = lines.filter_map(|line| serde_json::from_str(line).ok());
    requests.map(|request| request_line(&request)).collect::<Vec<_>>().join("\n")
}

/// Returns text between single quotes in which the shell still expands variables and what `FRESH` names.
fn quoted(text: &str) -> String {
    let opened =
        FRESH.iter().fold(text.to_owned(), |text, (_, fresh)| text.replace(fresh, &format!("'{fresh}'")));
    let opened =
        VARIABLES.iter().fold(opened, |text, (id, variable)| text.replace(id, &format!("'{variable}'")));
    format!("'{opened}'")
}

fn curl(path: &str, method: &str, operation: &Value, header: Option<&str>) -> String {
    let mut words = vec!["curl".to_owned()];
    let content = operation["requestBody"]["content"].as_object();
    if method != "get" {
        words.push(format!("-X {}", method.to_ascii_uppercase()));
    }
    words.push(format!("\"http://{SERVER}{}\"", target(path, operation)));
    let mut lines = vec![words.join(" ")];
    lines.extend(header.map(str::to_owned));
    for (media_type, content) in content.into_iter().flatten() {
        lines.push(format!("-H 'content-type: {media_type}'"));
        lines.push(format!("-d {}", quoted(&body(media_type, &content["example"]))));
    }
    lines.join(" \\\n  ")
}

/// Returns path and query of an operation's example.
fn target(path: &str, operation: &Value) -> String {
    let mut path = path.to_owned();
    let mut query = form_urlencoded::Serializer::new(String::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        match (parameter["in"].as_str(), parameter.get("example")) {
            (Some("path"), Some(value)) => path = path.replace(&format!("{{{name}}}"), &text(value)),
            (Some("query"), Some(Value::Array(values))) => {
                query.extend_pairs(values.iter().map(|value| (name, text(value))));
            }
            (Some("query"), Some(value)) => {
                query.append_pair(name, &text(value));
            }
            _ => {}
        }
    }
    let query = query.finish();
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn grpcurl(rpc: &str, request: &Value, header: Option<&str>) -> String {
    let (service, name) = rpc.rsplit_once('.').unwrap_or_default();
    let mut command = "grpcurl -plaintext".to_owned();
    if let Some(header) = header {
        command = format!("{command} {header}");
    }
    if request.as_object().is_none_or(Map::is_empty) {
        return format!("{command} {SERVER} {service}/{name}");
    }
    let request = request_line(request);
    format!("{command} -d @ {SERVER} \\\n  {service}/{name} <<EOF\n{request}\nEOF")
}

/// Returns the option that sends the credential of an example.
fn header(example: &Value) -> Option<String> {
    match example["credential"].as_str()? {
        API_KEY => Some("-H \"authorization: Bearer $KEY\"".to_owned()),
        SEAT_TOKEN => Some(format!("-H \"{SEAT_TOKEN_HEADER}: $TOKEN_{}\"", example["seat"])),
        _ => None,
    }
}
