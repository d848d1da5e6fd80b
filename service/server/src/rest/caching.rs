//! What a client or a proxy may keep of an answer: `ETag` with `If-None-Match`, `Cache-Control`, `Vary`.

use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH, VARY};
use http::{Method, Request, Response, StatusCode};
use http_body::Body as _;
use http_body_util::{BodyExt, Full};
use sha2::{Digest, Sha256};
use tonic::body::Body;

/// What of a request matters for keeping its answer.
#[derive(Clone)]
pub(crate) struct Asked {
    reads: bool,
    /// The tags that the client has, as it wrote them.
    known: Vec<HeaderValue>,
}

impl Asked {
    /// As the request says.
    pub(crate) fn of(request: &Request<Body>) -> Self {
        Self {
            reads: matches!(*request.method(), Method::GET | Method::HEAD),
            known: request.headers().get_all(IF_NONE_MATCH).iter().cloned().collect(),
        }
    }
}

/// The answer with the words about keeping it, or 304 if the client has it already.
pub(crate) async fn finish(asked: &Asked, mut response: Response<Body>) -> Response<Body> {
    let kept = if asked.reads { "private, no-cache" } else { "no-store" };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.append(VARY, HeaderValue::from_static("Authorization, Accept"));
    headers.insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
    // A stream has no length, and its end may be days away.
    if !asked.reads || response.status() != StatusCode::OK || response.body().size_hint().exact().is_none() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(whole) = body.collect().await else { return Response::from_parts(parts, Body::empty()) };
    let whole = whole.to_bytes();
    let tag = tag(&whole);
    let known = asked.known.iter().any(|list| names(list, &tag));
    parts.headers.insert(ETAG, HeaderValue::try_from(tag).expect("hexadecimal digits are plain text"));
    if !known {
        return Response::from_parts(parts, Body::new(Full::new(whole)));
    }
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(CONTENT_TYPE);
    Response::from_parts(parts, Body::empty())
}

/// Weak, since the same tag stands on the compressed answer.
fn tag(body: &[u8]) -> String {
    let hash: String = Sha256::digest(body)[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("W/\"{hash}\"")
}

/// Whether one of `If-None-Match`'s tags is this one; both are compared without `W/` (RFC 9110, 13.1.2).
fn names(list: &HeaderValue, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    list.to_str()
        .is_ok_and(|list| list.trim() == "*" || list.split(',').any(|known| opaque(known) == opaque(tag)))
}
