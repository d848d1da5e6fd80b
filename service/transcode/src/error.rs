//! Errors: in annotations (at start), in finding a route, and in a request. The caller chooses status codes.

use http::Method;
use thiserror::Error;

use crate::field_path::FieldPathError;
use crate::field_violation::FieldViolation;
use crate::percent::EscapeError;
use crate::rule::RuleError;
use crate::template::TemplateError;

/// An RPC with an invalid annotation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{rpc}: {problem}")]
pub struct RouteError {
    /// The RPC's full name.
    pub rpc: String,
    /// Why its annotation is invalid.
    pub problem: RouteProblem,
}

/// Why an annotation is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RouteProblem {
    /// It is not a rule.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// Its path template does not parse.
    #[error("path `{template}`: {error}")]
    Template {
        /// The path template.
        template: String,
        /// Why it does not parse.
        error: TemplateError,
    },
    /// A variable, `body` or `response_body` does not name a field.
    #[error("`{field}` {error}")]
    NoSuchField {
        /// The name in the annotation.
        field: String,
        /// Why it is not a field.
        error: FieldPathError,
    },
    /// A variable names a message, a list or a map.
    #[error("path variable `{0}` must be a singular scalar or enum")]
    NotAScalar(String),
    /// Two variables, or a variable and the body, name the same field.
    #[error("`{0}` is bound twice")]
    BoundTwice(String),
    /// A GET rule has a body, which clients and proxies may drop.
    #[error("a GET rule must not have a body")]
    GetWithBody,
    /// The RPC streams requests, which lines of one HTTP request carry only if it streams responses too and
    /// the body is the whole request.
    #[error("a client streaming RPC needs a response stream, the body `*` and a path without variables")]
    ClientStreaming,
    /// Some path matches this route and another one, and neither is more specific.
    #[error("{method} {template} conflicts with {other_template} of {other_rpc}")]
    Conflict {
        /// The method that both accept.
        method: String,
        /// This route's path template.
        template: String,
        /// The other route's path template.
        other_template: String,
        /// The other route's RPC.
        other_rpc: String,
    },
}

/// Why no route matches a method and a path.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MatchError {
    /// No route matches the path.
    #[error("no route matches this path")]
    NotFound,
    /// No route has the custom method at the end of the path.
    #[error("there is no custom method `:{verb}` at this path{}", existing(.custom_methods))]
    UnknownVerb {
        /// The custom method's name.
        verb: String,
        /// Those that exist there, such as `POST :lend`, in alphabetical order.
        custom_methods: Vec<String>,
    },
    /// Routes match the path, but not the method.
    #[error("this path does not support the method; it supports {}", listed(.allow))]
    MethodNotAllowed {
        /// The supported methods, in alphabetical order.
        allow: Vec<Method>,
    },
    /// The path is too long.
    #[error("the path is longer than {limit} bytes")]
    PathTooLong {
        /// The maximum, in bytes.
        limit: usize,
    },
    /// The path has too many segments.
    #[error("the path has more than {limit} segments")]
    TooManySegments {
        /// The maximum number of segments.
        limit: usize,
    },
    /// The path cannot be decoded.
    #[error("the path {0}")]
    BadPath(#[source] EscapeError),
}

/// Why a request message cannot be built from path, query, headers and body.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RequestError {
    /// A field is invalid.
    #[error(transparent)]
    Field(#[from] FieldViolation),
    /// The body is not JSON.
    #[error("the body is not JSON ({problem}); send one JSON object")]
    NotJson {
        /// The parser's error with its position.
        problem: String,
    },
    /// The body is JSON, but not an object.
    #[error("the body must be one JSON object, such as {{}}")]
    NotAnObject,
    /// The request has a body, but its route does not use one.
    #[error("this request must not have a body; send its fields as query parameters")]
    UnexpectedBody,
    /// The query string cannot be decoded.
    #[error("the query {0}")]
    BadQuery(#[source] EscapeError),
    /// The query string is too long.
    #[error("the query is longer than {limit} bytes; ask for less at a time")]
    QueryTooLong {
        /// The maximum, in bytes.
        limit: usize,
    },
    /// The query has too many parameters.
    #[error("the query has more than {limit} parameters; ask for less at a time")]
    TooManyParameters {
        /// The maximum number of parameters.
        limit: usize,
    },
}

fn existing(custom_methods: &[String]) -> String {
    if custom_methods.is_empty() { String::new() } else { format!("; it has {}", custom_methods.join(", ")) }
}

fn listed(methods: &[Method]) -> String {
    methods.iter().map(Method::as_str).collect::<Vec<_>>().join(", ")
}
