//! The entry of one call.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::needs::needs;
use super::schema::{fields, row};
use super::text::{layout, prose};

/// An operation of the document.
pub(super) struct Call<'a> {
    path: &'a str,
    method: &'a str,
    operation: &'a Value,
}

/// Returns all operations by name.
pub(super) fn calls(document: &Value) -> BTreeMap<&str, Call<'_>> {
    let mut calls = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(calls.insert(name, Call { path, method, operation }).is_none(), "{name} is there twice");
        }
    }
    calls
}

impl Call<'_> {
    /// Returns the full name of the RPC; pages have none.
    pub(super) fn rpc(&self) -> Option<String> {
        let (tag, name) = (self.operation["tags"][0].as_str()?, self.operation["operationId"].as_str()?);
        let service = wire::DESCRIPTORS.services().find(|service| service.name() == tag)?;
        Some(format!("{}/{name}", service.full_name()))
    }

    /// Returns the reasons for which the call can be refused, by HTTP status.
    pub(super) fn refusals(&self) -> BTreeMap<u16, BTreeSet<String>> {
        let responses = self.operation["responses"].as_object().unwrap().iter();
        let refused = responses.filter(|(status, _)| status.as_str() >= "400");
        let reasons = refused.map(|(status, response)| {
            let text = response["description"].as_str().unwrap();
            let names = text.split('`').skip(1).step_by(2).map(str::to_owned);
            (status.parse().unwrap(), names.collect())
        });
        reasons.collect()
    }

    /// Writes the entry: purpose, credentials, fields, commands, response and refusals.
    pub(super) fn entry(&self, document: &Value, general: &BTreeMap<u16, BTreeSet<String>>) -> String {
        let name = self.operation["operationId"].as_str().unwrap();
        let text = self.operation["description"].as_str().unwrap();
        let (purpose, _) = text.split_once("Errors:").unwrap_or((text, ""));
        let summary = self.operation["summary"].as_str().unwrap();
        let purpose = if self.rpc().is_some() { purpose.to_owned() } else { format!("{summary}. {purpose}") };
        let over_grpc = self.rpc().map(|rpc| format!(" - gRPC `{rpc}`")).unwrap_or_default();
        let mut entry = format!("\n### {name}\n\n{}", prose(&purpose));
        entry += &format!("\n**`{} {}`**{over_grpc}\n", self.method.to_uppercase(), self.path);
        entry += &format!("\n{}", prose(&format!("Needs: {}", needs(name, &self.operation["security"]))));
        entry += &self.request(document);
        entry += &self.commands();
        entry += &self.response(document);
        entry += &self.own_refusals(general);
        entry
    }

    fn request(&self, document: &Value) -> String {
        let mut rows = String::new();
        for parameter in self.operation["parameters"].as_array().into_iter().flatten() {
            let text = |name: &str| parameter[name].as_str().unwrap_or_default();
            let optional = parameter["required"] != true || text("in") == "path";
            let place = format!("{}{}", text("in"), if optional { "" } else { ", required" });
            rows += &row(text("name"), &place, &parameter["schema"], Some(text("description")));
        }
        let content = self.operation["requestBody"]["content"].as_object();
        for body in content.into_iter().flat_map(|content| content.values()) {
            let schema = body["schema"].get("contentSchema").unwrap_or(&body["schema"]);
            rows += &fields(document, schema, "body");
        }
        if rows.is_empty() {
            return String::new();
        }
        format!("\n| field | in | type | meaning |\n|---|---|---|---|\n{rows}")
    }

    fn commands(&self) -> String {
        let samples = self.operation["x-codeSamples"].as_array().unwrap().iter();
        let blocks = samples.map(|sample| format!("\n```sh\n{}\n```\n", sample["source"].as_str().unwrap()));
        blocks.collect()
    }

    fn response(&self, document: &Value) -> String {
        let content = self.operation["responses"]["200"]["content"].as_object().unwrap();
        let types: Vec<String> = content.keys().map(|name| format!("`{name}`")).collect();
        let Some((_, body)) = content.iter().find(|(name, _)| name.ends_with("json")) else {
            return format!("\nThe response is {}.\n", types.join(" or "));
        };
        let schema = body["schema"].get("contentSchema").unwrap_or(&body["schema"]);
        let rows = fields(document, schema, "");
        let mut text = match &body["example"] {
            Value::String(lines) => {
                let frames = lines.lines().map(|line| layout(&serde_json::from_str(line).unwrap(), ""));
                let frames: Vec<String> = frames.collect();
                let types = types.join(" or ");
                format!("\nA stream, {types}, which begins:\n\n```json\n{}\n```\n", frames.join("\n"))
            }
            example => format!("\nReturns:\n\n```json\n{}\n```\n", layout(example, "")),
        };
        if !rows.is_empty() {
            text += &format!("\n| field | type | meaning |\n|---|---|---|\n{rows}");
        }
        text
    }

    /// Returns the reasons that not every call has.
    fn own_refusals(&self, general: &BTreeMap<u16, BTreeSet<String>>) -> String {
        let mut parts = Vec::new();
        for (status, reasons) in self.refusals() {
            let known = general.get(&status).cloned().unwrap_or_default();
            let own: Vec<String> = reasons.difference(&known).map(|reason| format!("`{reason}`")).collect();
            if !own.is_empty() {
                parts.push(format!("{status} {}", own.join(", ")));
            }
        }
        if parts.is_empty() {
            return String::new();
        }
        format!("\n{}", prose(&format!("Refusals: {}.", parts.join("; "))))
    }
}
