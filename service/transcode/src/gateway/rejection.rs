//! Why the gateway rejects an HTTP request without calling the service.

use http::Method;
use thiserror::Error;

use crate::error::{MatchError, RequestError};

/// An error in the HTTP request itself. Errors of the called service are gRPC statuses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Rejection {
    /// No route matches the request.
    #[error(transparent)]
    NoRoute(#[from] MatchError),
    /// Path, query, headers and body do not form a request message.
    #[error(transparent)]
    BadRequest(#[from] RequestError),
    /// A line of a body of many requests is not a request message.
    #[error("line {number}: {error}")]
    BadLine {
        /// The line's 1-based number.
        number: u64,
        /// Why it is none.
        error: RequestError,
    },
    /// By its headers, the body is compressed or not of the type that the route takes.
    #[error("the body must be uncompressed JSON; send `content-type: {0}`")]
    UnsupportedMediaType(&'static str),
    /// The client accepts none of the available formats.
    #[error(
        "the response is available as {}, which `accept` does not allow; send one of these, or no `accept`",
        .available.join(" or ")
    )]
    NotAcceptable {
        /// Their media types.
        available: Vec<&'static str>,
    },
    /// The body is too large.
    #[error("the body exceeds the limit of {limit} bytes")]
    BodyTooLarge {
        /// The most bytes.
        limit: usize,
    },
    /// The body did not arrive completely in time.
    #[error("the body did not arrive in time")]
    BodyTimeout,
    /// Reading the body failed.
    #[error("the body could not be read")]
    BodyUnreadable,
    /// A header is not ASCII text, or is repeated.
    #[error("the header `{0}` must appear once and contain ASCII text only")]
    BadHeader(&'static str),
}

impl Rejection {
    /// Returns the value of the `Allow` header, if the method is not allowed.
    pub(crate) fn allow(&self) -> Option<String> {
        match self {
            Self::NoRoute(MatchError::MethodNotAllowed { allow }) => Some(allowed(allow)),
            _ => None,
        }
    }
}

/// Returns the value of an `Allow` header: these methods and OPTIONS.
pub(crate) fn allowed(methods: &[Method]) -> String {
    let mut names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    names.push(Method::OPTIONS.as_str());
    names.join(", ")
}
