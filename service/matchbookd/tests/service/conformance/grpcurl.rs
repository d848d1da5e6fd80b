//! Calls by grpcurl, which learns the messages by reflection.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use conformance::{Outcome, Refusal, ScriptCall};
use prost_reflect::MethodDescriptor;
use serde_json::{Deserializer, Value};
use tempfile::NamedTempFile;

use super::headers;

/// grpcurl.
pub(super) struct Grpcurl {
    program: String,
    /// The protos, for calls whose first answer is lost: that must not be an answer of reflection.
    protos: NamedTempFile,
}

impl Grpcurl {
    pub(super) fn new(program: String) -> Self {
        let mut protos = NamedTempFile::new().unwrap();
        protos.write_all(&wire::DESCRIPTORS.encode_to_vec()).unwrap();
        Self { program, protos }
    }

    pub(super) async fn make(&self, call: &ScriptCall) -> Outcome {
        let method = method(&call.name);
        let mut command = Command::new(&self.program);
        command.args(["-plaintext", "-emit-defaults", "-format-error", "-d", &call.request.to_string()]);
        command.args(headers(&call.credential).iter().flat_map(|header| ["-H", header]));
        if call.is_lost {
            command.arg("-protoset").arg(self.protos.path());
        }
        command.arg(&call.address).arg(method.full_name()).stdin(Stdio::null());
        let output = super::output(command, call).await;
        let (stdout, stderr) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        if output.status.success() {
            let messages = Deserializer::from_str(&stdout).into_iter::<Value>().map(Result::unwrap);
            let mut messages: Vec<Value> = messages.collect();
            return Ok(if method.is_server_streaming() { messages.into() } else { messages.remove(0) });
        }
        let status: Value = serde_json::from_str(&stderr).unwrap_or_else(|_| panic!("{stderr}"));
        Err(refusal(status["message"].as_str().unwrap(), &status["details"]))
    }
}

/// Returns the RPC of a name.
pub(super) fn method(name: &str) -> MethodDescriptor {
    let services = wire::DESCRIPTORS.services().filter(|service| service.package_name() == "matchbook.v1");
    let mut methods = services.flat_map(|service| service.methods().collect::<Vec<_>>());
    methods.find(|method| method.name() == name).unwrap_or_else(|| panic!("no RPC {name}"))
}

/// Reads the details of an error as JSON.
pub(super) fn refusal(message: &str, details: &Value) -> Refusal {
    let details = details.as_array().unwrap();
    let detail = |name: &str| {
        let kind = format!("type.googleapis.com/google.rpc.{name}");
        details.iter().find(|detail| detail["@type"] == *kind)
    };
    let info = detail("ErrorInfo").unwrap_or_else(|| panic!("{message}: no ErrorInfo in {details:?}"));
    let violations = detail("BadRequest").and_then(|bad| bad["fieldViolations"].as_array());
    let metadata: Option<BTreeMap<String, String>> =
        info.get("metadata").map(|metadata| serde_json::from_value(metadata.clone()).unwrap());
    Refusal {
        reason: info["reason"].as_str().unwrap().to_owned(),
        metadata: Some(metadata.unwrap_or_default()),
        fields: Some(
            violations.into_iter().flatten().map(|one| one["field"].as_str().unwrap().to_owned()).collect(),
        ),
        retry: Some(detail("RetryInfo").is_some()),
        message: message.to_owned(),
    }
}
