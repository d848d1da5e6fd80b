//! HTTP caching: `ETag` with `If-None-Match`, `Cache-Control`, `Vary`.

use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH, VARY,
};
use http::{Method, Request, Response, StatusCode};
use http_body::Body as _;
use http_body_util::{BodyExt, Full};
use sha2::{Digest, Sha256};
use tonic::body::Body;
use transcode::TaggedText;

/// The parts of a request that matter for caching.
#[derive(Clone)]
pub(crate) struct ConditionalRequest {
    /// Whether the method is GET or HEAD.
    safe: bool,
    /// The values of `If-None-Match`.
    if_none_match: Vec<HeaderValue>,
}

impl ConditionalRequest {
    /// Extracts the parts of a request.
    pub(crate) fn new(request: &Request<Body>) -> Self {
        Self {
            safe: matches!(*request.method(), Method::GET | Method::HEAD),
            if_none_match: request.headers().get_all(IF_NONE_MATCH).iter().cloned().collect(),
        }
    }
}

/// Adds the caching headers, or replaces the response by 304 if the client has it.
pub(crate) async fn finish(request: &ConditionalRequest, mut response: Response<Body>) -> Response<Body> {
    let cache_control = if request.safe { "private, no-cache" } else { "no-store" };
    let headers = response.headers_mut();
    // What says itself how long it lasts is the same for everyone.
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
        headers.append(VARY, HeaderValue::from_static("Authorization, Matchbook-Seat-Token, Accept"));
    }
    headers.insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
    // A stream has no length and may last for days.
    if !request.safe || response.status() != StatusCode::OK || response.body().size_hint().exact().is_none() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(whole) = body.collect().await else { return Response::from_parts(parts, Body::empty()) };
    let whole = whole.to_bytes();
    let tag = match (parts.headers.get(ETAG), parts.extensions.remove::<TaggedText>()) {
        // A page that never changes.
        (Some(tag), _) => tag.clone(),
        (None, Some(TaggedText(lasting))) => entity_tag(&lasting),
        (None, None) => entity_tag(&whole),
    };
    let cached = request.if_none_match.iter().any(|list| contains(list, &tag));
    parts.headers.insert(ETAG, tag);
    if !cached {
        return Response::from_parts(parts, Body::new(Full::new(whole)));
    }
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove(CONTENT_ENCODING);
    Response::from_parts(parts, Body::empty())
}

/// Returns a weak tag: the compressed response has the same one, and so has a response with a later time.
pub(crate) fn entity_tag(body: &[u8]) -> HeaderValue {
    let hash: String = Sha256::digest(body)[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::try_from(format!("W/\"{hash}\"")).expect("hexadecimal digits are a valid header value")
}

/// Returns whether `If-None-Match` contains a tag, by weak comparison (RFC 9110, 13.1.2).
fn contains(list: &HeaderValue, tag: &HeaderValue) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    list.to_str()
        .is_ok_and(|list| list.trim() == "*" || list.split(',').any(|listed| opaque(listed) == opaque(tag)))
}
