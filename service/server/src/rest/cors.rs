//! CORS: the web origins that may call the service from a browser.

use std::str::FromStr;
use std::time::Duration;

use http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, ETAG, HeaderName, HeaderValue, ORIGIN, RETRY_AFTER,
    WWW_AUTHENTICATE,
};
use http::{Method, Request, Uri};
use tonic::body::Body;
use tower_http::cors::{AllowHeaders, CorsLayer};

use crate::admission::{POLICY_FIELD, STATE_FIELD};

/// How long browsers may cache a preflight response.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(600);

/// The allowed origins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CorsOrigins {
    /// Only the service's own; browsers block other pages without CORS headers.
    #[default]
    None,
    /// All. Safe if browsers hold no API keys, as the service uses no cookies.
    Any,
    /// The listed origins.
    Listed(Vec<HeaderValue>),
}

/// A malformed list of origins.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an origin; write https://HOST or http://HOST:PORT without a path, or * for all")]
pub struct CorsOriginsError(String);

impl FromStr for CorsOrigins {
    type Err = CorsOriginsError;

    /// Parses comma-separated origins, or `*`.
    fn from_str(text: &str) -> Result<Self, CorsOriginsError> {
        let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Ok(Self::None),
            ["*"] => Ok(Self::Any),
            words => words.iter().map(|word| parse_origin(word)).collect::<Result<_, _>>().map(Self::Listed),
        }
    }
}

fn parse_origin(word: &str) -> Result<HeaderValue, CorsOriginsError> {
    let error = || CorsOriginsError(word.to_owned());
    let uri = Uri::try_from(word).map_err(|_| error())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(error()) };
    // Browsers send exactly this form; any other would never match.
    if !matches!(scheme, "http" | "https") || word != format!("{scheme}://{authority}").to_lowercase() {
        return Err(error());
    }
    HeaderValue::try_from(word).map_err(|_| error())
}

impl CorsOrigins {
    /// Returns the layer that adds CORS headers, if any origin is allowed.
    pub(crate) fn layer(&self) -> Option<CorsLayer> {
        let layer = match self {
            Self::None => return None,
            Self::Any => CorsLayer::new().allow_origin(tower_http::cors::Any),
            Self::Listed(origins) => CorsLayer::new().allow_origin(origins.clone()),
        };
        let methods = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
        let grpc_web = ["grpc-status", "grpc-message", "grpc-status-details-bin", "matchbook-call-id"];
        let exposed = [ALLOW, ETAG, RETRY_AFTER, WWW_AUTHENTICATE, POLICY_FIELD, STATE_FIELD].into_iter();
        Some(
            layer
                .allow_methods(methods)
                .allow_headers(AllowHeaders::mirror_request())
                .expose_headers(exposed.chain(grpc_web.map(HeaderName::from_static)).collect::<Vec<_>>())
                .max_age(PREFLIGHT_MAX_AGE),
        )
    }
}

/// Returns whether a request is a cross-origin request or a preflight. Any other OPTIONS request is an
/// ordinary one.
pub(crate) fn applies_to(request: &Request<Body>) -> bool {
    request.headers().contains_key(ORIGIN)
        && (request.method() != Method::OPTIONS
            || request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_must_have_the_form_that_browsers_send() {
        assert_eq!("".parse(), Ok(CorsOrigins::None));
        assert_eq!("*".parse(), Ok(CorsOrigins::Any));
        let two = "https://play.example, http://localhost:5173".parse();
        let values = ["https://play.example", "http://localhost:5173"].map(HeaderValue::from_static);
        assert_eq!(two, Ok(CorsOrigins::Listed(values.to_vec())));
        for wrong in
            ["play.example", "https://play.example/", "https://Play.example", "ftp://a", "*,https://a", "é"]
        {
            assert!(CorsOrigins::from_str(wrong).is_err(), "{wrong}");
        }
    }
}
