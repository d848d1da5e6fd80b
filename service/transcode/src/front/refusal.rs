//! Why an HTTP request did not become a call.

use http::Method;
use thiserror::Error;

use crate::error::{MatchError, RequestError};

/// Everything that HTTP itself can get wrong; what the called service refuses is a gRPC
/// status.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// No route for it.
    #[error(transparent)]
    NoRoute(#[from] MatchError),
    /// Path, query, headers and body make no message.
    #[error(transparent)]
    BadRequest(#[from] RequestError),
    /// The body is not JSON by its own headers.
    #[error("the body has to be JSON, not compressed: send `content-type: application/json`")]
    UnsupportedMediaType,
    /// The client takes none of the forms that there are.
    #[error("the answer comes as {}, and `accept` allows no such thing", .offered.join(" or "))]
    NotAcceptable {
        /// Their media types.
        offered: Vec<&'static str>,
    },
    /// The body is too long.
    #[error("the body is larger than the {limit} bytes that are read")]
    BodyTooLarge {
        /// The most bytes.
        limit: usize,
    },
    /// The body did not come whole in time.
    #[error("the body did not come in time")]
    BodyTooSlow,
    /// The body broke off.
    #[error("the body could not be read")]
    BodyBroken,
    /// A header can't be read as text, or stands there twice.
    #[error("the header `{0}` has to be one plain text")]
    BadHeader(&'static str),
}

impl Refusal {
    /// The methods for the `Allow` of an answer, if that is what was wrong.
    pub(crate) fn allow(&self) -> Option<String> {
        match self {
            Self::NoRoute(MatchError::MethodNotAllowed { allow }) => Some(allowed(allow)),
            _ => None,
        }
    }
}

/// With what goes along with the methods of the routes.
pub(crate) fn allowed(methods: &[Method]) -> String {
    let mut names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    names.push(Method::OPTIONS.as_str());
    names.join(", ")
}
