//! REST for annotated protos: what `google.api.http` options promise, read from
//! any descriptor set. This crate finds the RPC of an HTTP request, makes its request
//! message, calls the gRPC service in process, and describes it all as OpenAPI. It knows no
//! service: what one has to decide for itself is in [`Host`].
//!
//! [`Routes::from_pool`] checks every annotation at start, [`Routes::find`] takes a
//! method and a path, [`Matched::request`] merges path, query and body, and [`Front`] is
//! the whole as a tower service.

mod draft;
mod error;
mod field_path;
mod front;
mod header_fields;
mod json;
mod matching;
mod openapi;
mod overlap;
mod percent;
mod query;
mod request;
mod routes;
mod rule;
mod template;
mod value;

pub use error::{FieldProblem, FieldViolation, MatchError, RequestError, RouteError, RouteProblem};
pub use field_path::{FieldPath, FieldPathError, MAX_DEPTH};
pub use front::{Failure, Form, Front, Host, InProcess, Refusal, Settings, code_name, metadata_of};
pub use header_fields::{Both, HeaderBinding, HeaderField};
pub use matching::{Binding, MAX_PATH_BYTES, MAX_SEGMENTS, Matched};
pub use openapi::{Description, ErrorStatus, Example, Operand, document};
pub use percent::EscapeError;
pub use query::{MAX_QUERY_BYTES, MAX_QUERY_PAIRS};
pub use routes::{Body, Route, Routes};
pub use rule::{HttpMethod, HttpRule, RuleError, rules_of};
pub use template::{Segment, Template, TemplateError, Variable};
