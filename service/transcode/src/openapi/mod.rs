//! The routes as an OpenAPI 3.1 document: what the descriptors say, with the protos' comments, and what only
//! the service can say.

mod comments;
mod operation;
mod parameters;
mod schemas;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::header_fields::HeaderField;
use crate::routes::Routes;
use crate::rule::HttpMethod;
use comments::Comments;
use operation::Operations;
use schemas::Schemas;

/// What the descriptors can't say.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// OpenAPI's `info`.
    pub info: Value,
    /// OpenAPI's `servers`.
    pub servers: Value,
    /// OpenAPI's `security`, for all operations.
    pub security: Value,
    /// The schemes that it names.
    pub security_schemes: Value,
    /// Headers that fill fields.
    pub header_fields: Vec<HeaderField>,
    /// How calls fail.
    pub errors: Vec<ErrorStatus>,
    /// The words that an error's `reason` can be.
    pub reasons: Vec<String>,
    /// Answers that every unary GET can have beside 200, by status.
    pub of_reads: Map<String, Value>,
    /// Real requests and answers by the RPC's full name.
    pub examples: BTreeMap<String, Example>,
    /// What is served beside the RPCs, by path, in OpenAPI's words.
    pub more_paths: Map<String, Value>,
    /// The tags of those.
    pub more_tags: Vec<Value>,
}

/// A status that a failed call can have.
#[derive(Debug, Clone)]
pub struct ErrorStatus {
    /// The status.
    pub http: u16,
    /// When it comes.
    pub description: String,
    /// Which operations can fail so.
    pub of: Operand,
}

/// A kind of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// Every one.
    Any,
    /// Those that take a body.
    Body,
}

/// An RPC's request and answer as they were once sent.
#[derive(Debug, Clone, Default)]
pub struct Example {
    /// The body of the request, if it has one.
    pub request: Option<Value>,
    /// The answer; of a stream its first frames.
    pub answer: Option<Value>,
}

/// The document of all routes.
pub fn document(routes: &Routes, description: &Description) -> Value {
    let comments = Comments::of(routes);
    let schemas = Schemas::of(routes, &comments);
    let operations = Operations { comments: &comments, schemas: &schemas, description };
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for route in routes.iter() {
        let path = paths.entry(parameters::path(route)).or_default();
        for method in methods(route.http_method()) {
            path.insert(method, operations.of(route));
        }
    }
    for (path, item) in &description.more_paths {
        paths.insert(path.clone(), item.as_object().cloned().unwrap_or_default());
    }
    json!({
        "openapi": "3.1.0",
        "info": description.info,
        "servers": description.servers,
        "security": description.security,
        "tags": tags(routes, &comments, description),
        "paths": paths,
        "components": {
            "schemas": components(&schemas, description),
            "responses": responses(description),
            "securitySchemes": description.security_schemes,
        },
    })
}

/// OpenAPI has no `any method`; POST stands for it.
fn methods(method: &HttpMethod) -> Vec<String> {
    match method {
        HttpMethod::Only(method) => vec![method.as_str().to_ascii_lowercase()],
        HttpMethod::Any => vec!["get".to_owned(), "post".to_owned()],
    }
}

fn tags(routes: &Routes, comments: &Comments, description: &Description) -> Vec<Value> {
    let mut services = BTreeMap::new();
    for route in routes.iter() {
        let service = route.rpc().parent_service().clone();
        services.insert(service.name().to_owned(), comments.of_service(&service));
    }
    let tags = services.into_iter().map(|(name, text)| json!({"name": name, "description": text}));
    tags.chain(description.more_tags.iter().cloned()).collect()
}

fn components(schemas: &Schemas<'_>, description: &Description) -> Map<String, Value> {
    let mut components = schemas.components();
    let detail = json!({
        "type": "object",
        "description": "A message of google.rpc, such as BadRequest or RetryInfo.",
        "required": ["@type"],
        "properties": {"@type": {"type": "string"}},
        "additionalProperties": true,
    });
    let error = json!({
        "type": "object",
        "required": ["code", "reason", "message", "details"],
        "additionalProperties": false,
        "properties": {
            "code": {"type": "string", "description": "The gRPC code, such as `NOT_FOUND`."},
            "reason": {"type": "string", "enum": description.reasons, "description": "What programs decide by."},
            "message": {"type": "string", "description": "A sentence for people."},
            "details": {"type": "array", "items": detail},
        },
    });
    let error = json!({
        "type": "object",
        "description": "Why a call failed. It has changed nothing, unless the reason says otherwise.",
        "required": ["error"],
        "additionalProperties": false,
        "properties": {"error": error},
    });
    components.insert(ERROR.to_owned(), error);
    components
}

/// The name of the schema of errors; those of messages have dots.
pub(crate) const ERROR: &str = "Error";

fn responses(description: &Description) -> Map<String, Value> {
    let response = |error: &ErrorStatus| {
        let mut response = json!({
            "description": error.description,
            "content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{ERROR}")}}},
        });
        if matches!(error.http, 429 | 503 | 504) {
            let seconds = json!({"type": "integer", "minimum": 0});
            response["headers"] = json!({"Retry-After": {"description": "Seconds until it makes sense to try again.", "schema": seconds}});
        }
        (format!("Status{}", error.http), response)
    };
    description.errors.iter().map(response).collect()
}
