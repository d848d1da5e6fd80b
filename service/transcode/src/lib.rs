//! REST for annotated protos: implements the HTTP mappings that `google.api.http` options declare, for any
//! descriptor set. This crate finds the RPC of an HTTP request, builds its request message, calls the gRPC
//! service in process, and describes all routes as OpenAPI. It knows no particular service; what a service
//! must decide itself is in [`Adapter`].
//!
//! [`Routes::from_pool`] checks every annotation at start, [`Routes::find`] takes a method and a path,
//! [`RouteMatch::request`] merges path, query and body into the request message, and [`Gateway`] does all of
//! it as a tower service.

mod error;
mod expected;
mod field_path;
mod field_violation;
mod fields;
mod gateway;
mod header_fields;
mod json;
mod openapi;
mod percent;
mod query;
mod request;
mod route_match;
mod routes;
mod rule;
mod specificity;
mod template;
mod value;

pub use error::{MatchError, RequestError, RouteError, RouteProblem};
pub use field_path::{FieldPath, FieldPathError, MAX_DEPTH};
pub use field_violation::{FieldProblem, FieldViolation};
pub use gateway::{
    Adapter, FieldNames, Gateway, GatewaySettings, HttpError, InProcessService, Rejection, ResponseFormat,
    TaggedText, code_name, message_json, request_metadata,
};
pub use header_fields::{HeaderBinding, HeaderField, Precedence};
pub use openapi::{
    ApiDescription, ErrorStatus, Example, error_response, one_line, openapi_document, rpc_comments,
};
pub use percent::EscapeError;
pub use query::{MAX_QUERY_BYTES, MAX_QUERY_PAIRS};
pub use route_match::{Binding, MAX_PATH_BYTES, MAX_SEGMENTS, RouteMatch};
pub use routes::{Body, Route, Routes};
pub use rule::{HttpMethod, HttpRule, RuleError, http_rules};
pub use template::{Segment, Template, TemplateError, Variable};
