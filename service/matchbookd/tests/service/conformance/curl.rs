//! Calls by curl: method, path and parameters as the OpenAPI document of the service has them.

use std::process::{Command, Stdio};

use conformance::{Outcome, Refusal, ScriptCall};
use serde_json::{Deserializer, Value};

use super::headers;
use crate::stage::Http;

/// curl, and what the service says of its paths.
pub(super) struct Curl {
    program: String,
    document: Value,
}

impl Curl {
    pub(super) async fn new(program: String, address: &str) -> Self {
        let document = Http::of(address).get("/openapi.json", &[]).await.json();
        Self { program, document }
    }

    pub(super) async fn make(&self, call: &ScriptCall) -> Outcome {
        let (method, path) = self.route(&call.name);
        let (path, rest) = filled(path, &call.request);
        let mut command = Command::new(&self.program);
        command.args(["-sS", "-X", &method.to_uppercase(), "-w", "\n%{http_code}"]);
        command.args(headers(&call.credential).iter().flat_map(|header| ["-H", header]));
        if ["patch", "post"].contains(&method) {
            command.args(["-H", "content-type: application/json", "-d", &call.request.to_string()]);
        } else {
            command.arg("-G");
            command.args(rest.iter().flat_map(|parameter| ["--data-urlencode", parameter]));
        }
        command.arg(format!("http://{}{path}", call.address)).stdin(Stdio::null());
        let output = super::output(command, call).await;
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (body, status) = printed.rsplit_once('\n').unwrap();
        let lines = Deserializer::from_str(body).into_iter::<Value>().map(Result::unwrap);
        let lines: Vec<Value> = lines.collect();
        if status == "200" { Ok(response(&call.name, lines)) } else { Err(refusal(&lines[0]["error"])) }
    }

    /// Returns the method and path of an RPC.
    fn route(&self, name: &str) -> (&str, &str) {
        let paths = self.document["paths"].as_object().unwrap().iter();
        let mut operations = paths
            .flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |(m, one)| (m, path, one)));
        let found = operations.find(|(_, _, one)| one["operationId"] == name);
        let (method, path, _) = found.unwrap_or_else(|| panic!("no operation {name}"));
        (method, path)
    }
}

/// Returns a path with its variables filled, and the other fields as parameters.
fn filled(path: &str, request: &Value) -> (String, Vec<String>) {
    let (mut path, mut parameters) = (path.to_owned(), Vec::new());
    for (name, value) in request.as_object().unwrap() {
        let variable = format!("{{{name}}}");
        if path.contains(&variable) {
            path = path.replace(&variable, &text(value));
        } else {
            add_parameters(name, value, &mut parameters);
        }
    }
    (path, parameters)
}

/// Adds a field as parameters: a list repeats its name, a message's fields are named after a dot.
fn add_parameters(name: &str, value: &Value, parameters: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| add_parameters(name, value, parameters)),
        Value::Object(fields) => {
            for (field, value) in fields {
                add_parameters(&format!("{name}.{field}"), value, parameters);
            }
        }
        value => parameters.push(format!("{name}={}", text(value))),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a response, or all messages of a stream.
fn response(name: &str, mut lines: Vec<Value>) -> Value {
    if super::grpcurl::method(name).is_server_streaming() { lines.into() } else { lines.remove(0) }
}

/// Reads the error of a body.
fn refusal(error: &Value) -> Refusal {
    let refusal = super::grpcurl::refusal(error["message"].as_str().unwrap(), &error["details"]);
    assert_eq!(error["reason"], *refusal.reason, "{error}");
    Refusal {
        fields: refusal.fields.map(|fields| fields.iter().map(|field| in_proto(field)).collect()),
        ..refusal
    }
}

/// Returns the path of a field in proto spelling: `matchId` is `match_id`.
fn in_proto(field: &str) -> String {
    field
        .chars()
        .flat_map(|c| c.is_ascii_uppercase().then_some('_').into_iter().chain([c.to_ascii_lowercase()]))
        .collect()
}
