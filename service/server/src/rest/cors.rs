//! Which web pages may call the service from a browser.

use std::str::FromStr;
use std::time::Duration;

use http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, ETAG, HeaderName, HeaderValue, ORIGIN, RETRY_AFTER,
};
use http::{Method, Request, Uri};
use tonic::body::Body;
use tower_http::cors::{AllowHeaders, CorsLayer};

/// How long a browser may remember what it was allowed.
const REMEMBERED: Duration = Duration::from_secs(600);

/// The origins whose pages may call. None: those of no other origin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CorsOrigins {
    /// Browsers are told nothing, and keep other origins' pages away.
    #[default]
    None,
    /// All: right for a service without API keys in browsers, for there are no cookies.
    Any,
    /// These.
    These(Vec<HeaderValue>),
}

/// A text that is no list of origins.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an origin: write https://HOST or http://HOST:PORT without a path, or * for all")]
pub struct CorsOriginsError(String);

impl FromStr for CorsOrigins {
    type Err = CorsOriginsError;

    /// Origins with commas between them, or `*`.
    fn from_str(text: &str) -> Result<Self, CorsOriginsError> {
        let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Ok(Self::None),
            ["*"] => Ok(Self::Any),
            words => words.iter().map(|word| origin(word)).collect::<Result<_, _>>().map(Self::These),
        }
    }
}

fn origin(word: &str) -> Result<HeaderValue, CorsOriginsError> {
    let wrong = || CorsOriginsError(word.to_owned());
    let uri = Uri::try_from(word).map_err(|_| wrong())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(wrong()) };
    // Browsers write an origin exactly so; anything else would never be met.
    if !matches!(scheme, "http" | "https") || word != format!("{scheme}://{authority}").to_lowercase() {
        return Err(wrong());
    }
    HeaderValue::try_from(word).map_err(|_| wrong())
}

impl CorsOrigins {
    /// What tells browsers so.
    pub(crate) fn layer(&self) -> Option<CorsLayer> {
        let layer = match self {
            Self::None => return None,
            Self::Any => CorsLayer::new().allow_origin(tower_http::cors::Any),
            Self::These(origins) => CorsLayer::new().allow_origin(origins.clone()),
        };
        let methods = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
        let grpc_web = ["grpc-status", "grpc-message", "grpc-status-details-bin", "x-request-id"];
        let exposed = [ALLOW, ETAG, RETRY_AFTER].into_iter();
        Some(
            layer
                .allow_methods(methods)
                .allow_headers(AllowHeaders::mirror_request())
                .expose_headers(exposed.chain(grpc_web.map(HeaderName::from_static)).collect::<Vec<_>>())
                .max_age(REMEMBERED),
        )
    }
}

/// Whether a browser asks for another origin's page, or whether it may. An OPTIONS of another kind is an ordinary
/// request.
pub(crate) fn concerns(request: &Request<Body>) -> bool {
    request.headers().contains_key(ORIGIN)
        && (request.method() != Method::OPTIONS
            || request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_written_as_browsers_write_them() {
        assert_eq!("".parse(), Ok(CorsOrigins::None));
        assert_eq!("*".parse(), Ok(CorsOrigins::Any));
        let two = "https://play.example, http://localhost:5173".parse();
        let values = ["https://play.example", "http://localhost:5173"].map(HeaderValue::from_static);
        assert_eq!(two, Ok(CorsOrigins::These(values.to_vec())));
        for wrong in
            ["play.example", "https://play.example/", "https://Play.example", "ftp://a", "*,https://a", "é"]
        {
            assert!(CorsOrigins::from_str(wrong).is_err(), "{wrong}");
        }
    }
}
