//! What can go wrong: with the annotations (at start), with finding a route, and
//! with a request. A front decides on status codes and on how to say it.

use http::Method;
use thiserror::Error;

use crate::field_path::{FieldPathError, MAX_DEPTH};
use crate::percent::EscapeError;
use crate::rule::RuleError;
use crate::template::TemplateError;

/// An RPC whose annotation can't be served.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{rpc}: {problem}")]
pub struct RouteError {
    /// The RPC's full name.
    pub rpc: String,
    /// What is wrong with it.
    pub problem: RouteProblem,
}

/// What is wrong with an annotation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RouteProblem {
    /// It is not even a rule.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// Its path does not parse.
    #[error("path `{template}`: {error}")]
    Template {
        /// The path.
        template: String,
        /// Why.
        error: TemplateError,
    },
    /// A variable, `body` or `response_body` names no field.
    #[error("`{field}` {error}")]
    NoSuchField {
        /// As it was written.
        field: String,
        /// Why.
        error: FieldPathError,
    },
    /// A variable names a message, a list or a map.
    #[error("`{0}` in the path has to be a scalar or an enum, and not repeated")]
    NotAScalar(String),
    /// Two variables, or a variable and the body, name the same field.
    #[error("`{0}` is bound twice")]
    BoundTwice(String),
    /// GET with a body: clients and proxies may drop it.
    #[error("GET can't have a body")]
    GetWithBody,
    /// One HTTP request can't carry a stream of messages.
    #[error("an RPC with a stream of requests has no HTTP form")]
    ClientStreaming,
    /// Some path fits this route and another one alike.
    #[error("{method} {template} conflicts with {other_template} of {other_rpc}")]
    Conflict {
        /// The method that both accept.
        method: String,
        /// This route's path.
        template: String,
        /// The other route's path.
        other_template: String,
        /// The other route's RPC.
        other_rpc: String,
    },
}

/// Why no RPC was found for a method and a path.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MatchError {
    /// No route has such a path.
    #[error("nothing is here")]
    NotFound,
    /// Routes have this path, for other methods.
    #[error("the method is not allowed here")]
    MethodNotAllowed {
        /// Those that are, in alphabetical order.
        allow: Vec<Method>,
    },
    /// The path is longer than any route's needs to be.
    #[error("the path is longer than {limit} bytes")]
    PathTooLong {
        /// The most bytes.
        limit: usize,
    },
    /// As above, by segments.
    #[error("the path has more than {limit} segments")]
    TooManySegments {
        /// The most segments.
        limit: usize,
    },
    /// The path can't be decoded.
    #[error("the path {0}")]
    BadPath(#[source] EscapeError),
}

/// Why path, query and body of a request make no message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RequestError {
    /// One field is wrong.
    #[error(transparent)]
    Field(#[from] FieldViolation),
    /// The body is not JSON at all.
    #[error("the body is not JSON: {problem}")]
    NotJson {
        /// What and where, in the parser's words.
        problem: String,
    },
    /// The body is JSON, but not `{...}`.
    #[error("the body has to be a JSON object")]
    NotAnObject,
    /// The route takes no body and there is one.
    #[error("this request takes no body")]
    UnexpectedBody,
    /// The query string can't be decoded.
    #[error("the query {0}")]
    BadQuery(#[source] EscapeError),
    /// The query string is too long.
    #[error("the query is longer than {limit} bytes")]
    QueryTooLong {
        /// The most bytes.
        limit: usize,
    },
    /// The query has too many parameters.
    #[error("the query has more than {limit} parameters")]
    TooManyParameters {
        /// The most parameters.
        limit: usize,
    },
}

/// A field and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{field}`: {problem}")]
pub struct FieldViolation {
    /// Where, by JSON names, for example `moves[2].square`; an unknown field as the
    /// client wrote it.
    pub field: String,
    /// What is wrong.
    pub problem: FieldProblem,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FieldProblem {
    /// The message has no such field.
    #[error("there is no such field")]
    Unknown,
    /// The same field twice, perhaps under both of its names.
    #[error("it is given more than once")]
    Duplicate,
    /// The path fills it, and the query names it again or the body has another value for it.
    #[error("the path gives it already")]
    TwoPlaces,
    /// A header and the body give it differently.
    #[error("it has to be the same as `{field}`, or one of the two left out")]
    Differs {
        /// The field that the header is another spelling of.
        field: String,
    },
    /// Another field of the same oneof is given.
    #[error("it can't stand together with `{other}`")]
    Excluded {
        /// The other field's JSON name.
        other: String,
    },
    /// A query parameter for something that the body holds.
    #[error("it belongs in the body")]
    BodyOnly,
    /// A query parameter for a message or a map.
    #[error("a query parameter can't give it; name a field of it, if it has one")]
    NotAValue,
    /// A query parameter with too many names.
    #[error("more than {MAX_DEPTH} names")]
    TooDeep,
    /// The value does not fit the field's type.
    #[error("{0}")]
    Invalid(String),
}

impl FieldViolation {
    /// Echoes at most so much of what a client sent.
    const MAX_ECHO: usize = 200;

    pub(crate) fn new(field: impl Into<String>, problem: FieldProblem) -> Self {
        let problem = match problem {
            FieldProblem::Invalid(text) => FieldProblem::Invalid(shortened(text)),
            other => other,
        };
        Self { field: shortened(field.into()), problem }
    }
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(FieldViolation::MAX_ECHO) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}
