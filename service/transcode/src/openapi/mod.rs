//! The routes as an OpenAPI 3.1 document, from the descriptors, the comments in the protos, and what the
//! service adds.

pub(crate) mod annotations;
mod comments;
mod names;
mod one_line;
mod operation;
mod parameters;
mod schemas;
mod values;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tonic::Code;

use crate::gateway::code_name;
use crate::header_fields::HeaderField;
use crate::routes::{Route, Routes};
use crate::rule::HttpMethod;
use comments::Comments;
use operation::Operations;
use schemas::Schemas;

pub use one_line::one_line;
pub use operation::error_response;

/// What the descriptors do not contain.
#[derive(Debug, Clone, Default)]
pub struct ApiDescription {
    /// OpenAPI's `info`.
    pub info: Value,
    /// OpenAPI's `servers`.
    pub servers: Value,
    /// OpenAPI's `security`, for all operations.
    pub security: Value,
    /// The security schemes that `security` names.
    pub security_schemes: Value,
    /// Headers that set fields.
    pub header_fields: Vec<HeaderField>,
    /// The statuses of failed calls by the RPC's full name.
    pub errors: BTreeMap<String, Vec<ErrorStatus>>,
    /// The possible values of an error's `reason`.
    pub reasons: Vec<String>,
    /// Headers of every response of an RPC, as OpenAPI header objects.
    pub response_headers: Map<String, Value>,
    /// Parameters of every unary GET, as OpenAPI parameter objects.
    pub get_parameters: Vec<Value>,
    /// Headers of the 200 of every unary GET.
    pub get_headers: Map<String, Value>,
    /// Responses of every unary GET other than 200, by status.
    pub get_responses: Map<String, Value>,
    /// Real requests and responses by the RPC's full name.
    pub examples: BTreeMap<String, Example>,
    /// Paths served in addition to the RPCs, as OpenAPI path items.
    pub extra_paths: Map<String, Value>,
    /// Tags of the extra paths.
    pub extra_tags: Vec<Value>,
}

/// The HTTP status of a failed call.
#[derive(Debug, Clone)]
pub struct ErrorStatus {
    /// The status.
    pub http: u16,
    /// When it occurs.
    pub description: String,
    /// Its headers, as OpenAPI header objects.
    pub headers: Map<String, Value>,
}

/// An example request and response of an RPC.
#[derive(Debug, Clone, Default)]
pub struct Example {
    /// The whole request: each operation shows its fields where it takes them, in path, query or body.
    pub request: Option<Value>,
    /// The response; for a stream, an array of its first frames.
    pub response: Option<Value>,
}

/// Returns the OpenAPI document of all routes.
pub fn openapi_document(routes: &Routes, description: &ApiDescription) -> Value {
    let comments = Comments::of(routes);
    let schemas = Schemas::of(routes, &comments);
    let operations = Operations { comments: &comments, schemas: &schemas, description };
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for route in routes.iter() {
        let path = paths.entry(parameters::path(route)).or_default();
        for method in methods(route.http_method()) {
            path.insert(method, operations.operation(route));
        }
    }
    for (path, item) in &description.extra_paths {
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
            "headers": description.response_headers,
            "securitySchemes": description.security_schemes,
        },
    })
}

impl ApiDescription {
    /// Adds references to the headers of every response, except those that it has or that `except` names.
    pub fn add_response_headers(&self, responses: &mut Map<String, Value>, except: &[&str]) {
        for response in responses.values_mut() {
            for name in self.response_headers.keys().filter(|name| !except.contains(&name.as_str())) {
                if response["headers"][name].is_null() {
                    response["headers"][name] = json!({"$ref": format!("#/components/headers/{name}")});
                }
            }
        }
    }
}

/// Returns the comments of RPCs by full name.
pub fn rpc_comments(routes: &Routes) -> BTreeMap<String, String> {
    let comments = Comments::of(routes);
    let rpcs = routes.iter().map(Route::rpc);
    rpcs.map(|rpc| (rpc.full_name().to_owned(), comments.of_rpc(rpc))).collect()
}

/// Returns the methods of a path item. OpenAPI has no wildcard, so GET and POST represent any method.
fn methods(method: &HttpMethod) -> Vec<String> {
    match method {
        HttpMethod::Only(method) => vec![method.as_str().to_ascii_lowercase()],
        HttpMethod::Any => vec!["get".to_owned(), "post".to_owned()],
    }
}

fn tags(routes: &Routes, comments: &Comments, description: &ApiDescription) -> Vec<Value> {
    let mut services = BTreeMap::new();
    for route in routes.iter() {
        let service = route.rpc().parent_service().clone();
        services.insert(service.name().to_owned(), comments.of_service(&service));
    }
    let tags = services.into_iter().map(|(name, text)| json!({"name": name, "description": text}));
    tags.chain(description.extra_tags.iter().cloned()).collect()
}

fn components(schemas: &Schemas<'_>, description: &ApiDescription) -> Map<String, Value> {
    let mut components = schemas.components();
    let detail = json!({
        "type": "object",
        "description": "A message of google.rpc, such as BadRequest or RetryInfo.",
        "required": ["@type"],
        "properties": {"@type": {"type": "string"}},
    });
    let error = json!({
        "type": "object",
        "required": ["code", "status", "reason", "message", "details"],
        "properties": {
            "code": {"type": "integer", "description": "The HTTP status, such as 404."},
            "status": {
                "type": "string",
                "enum": (1..=16).map(|code| code_name(Code::from_i32(code))).collect::<Vec<_>>(),
                "description": "The gRPC code, such as `NOT_FOUND`.",
            },
            "reason": {
                "type": "string",
                "enum": description.reasons,
                "description": "The machine-readable reason, as in the ErrorInfo among the details.",
            },
            "message": {"type": "string", "description": "An explanation for people."},
            "details": {"type": "array", "items": detail},
        },
    });
    let error = json!({
        "type": "object",
        "description": "Why a call failed. A failed call has no effect, unless its reason says otherwise.",
        "required": ["error"],
        "properties": {"error": error},
    });
    components.insert(ERROR.to_owned(), error);
    components
}

/// Name of the error schema.
pub(crate) const ERROR: &str = "Error";
