//! A page that never changes: compressed, and tagged, when the service starts.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderValue, VARY,
};
use http::{HeaderMap, Response};
use http_body_util::Full;
use tonic::body::Body;

use crate::rest::entity_tag;

/// A page that never changes.
pub(super) struct FixedPage {
    media_type: &'static str,
    policy: Option<&'static str>,
    tag: HeaderValue,
    plain: Bytes,
    gzip: Bytes,
}

impl FixedPage {
    /// Compresses a page.
    pub(super) fn new(media_type: &'static str, text: impl Into<Bytes>) -> Self {
        let plain = text.into();
        Self { media_type, policy: None, tag: entity_tag(&plain), gzip: gzip(&plain), plain }
    }

    /// Adds a content security policy.
    pub(super) fn with_policy(self, policy: &'static str) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// Returns the page, which shares its bytes with all other responses.
    pub(super) fn respond(&self, accepts_gzip: bool) -> Response<Body> {
        let bytes = if accepts_gzip { &self.gzip } else { &self.plain };
        let mut response = Response::new(Body::new(Full::new(bytes.clone())));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        headers.insert(ETAG, self.tag.clone());
        headers.append(VARY, HeaderValue::from_static("accept-encoding"));
        if accepts_gzip {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if let Some(policy) = self.policy {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        }
        response
    }
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(plain).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail").into()
}

/// Returns whether a client accepts gzip (RFC 9110, 12.5.3).
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_accept_it() {
        for (value, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip; q=0", false),
            ("gzip;q=0.0", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, value.parse().unwrap());
            assert_eq!(accepts_gzip(&headers), expected, "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
