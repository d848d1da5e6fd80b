//! A page that never changes: compressed, and tagged, when the service starts.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    HeaderName, HeaderValue, REFERRER_POLICY, VARY,
};
use http::{HeaderMap, Response};
use http_body_util::Full;
use tonic::body::Body;

use crate::rest::entity_tag;

/// A page that never changes.
pub(super) struct FixedPage {
    media_type: &'static str,
    fields: Vec<(HeaderName, HeaderValue)>,
    tag: HeaderValue,
    plain: Bytes,
    gzip: Bytes,
}

impl FixedPage {
    /// Compresses a page.
    pub(super) fn new(media_type: &'static str, text: impl Into<Bytes>) -> Self {
        let plain = text.into();
        Self { media_type, fields: Vec::new(), tag: entity_tag(&plain), gzip: gzip(&plain), plain }
    }

    /// Makes a page of an embedded file. What is at its path never changes.
    pub(super) fn of_file(file: &web::File) -> Self {
        let (plain, gzip) = (Bytes::from_static(file.plain), Bytes::from_static(file.gzip));
        let page =
            Self { media_type: file.media_type, fields: Vec::new(), tag: entity_tag(&plain), gzip, plain };
        page.with(CACHE_CONTROL, "public, max-age=31536000, immutable")
    }

    /// Restricts what the page may load and do, and keeps its address from other sites.
    pub(super) fn with_policy(self, policy: &'static str) -> Self {
        self.with(CONTENT_SECURITY_POLICY, policy).with(REFERRER_POLICY, "no-referrer")
    }

    fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.fields.push((name, HeaderValue::from_static(value)));
        self
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
        headers.extend(self.fields.iter().cloned());
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
    lists(headers, &ACCEPT_ENCODING, "gzip")
}

/// Returns whether a client asks for HTML by name, as browsers do (RFC 9110, 12.5.1).
pub(super) fn accepts_html(headers: &HeaderMap) -> bool {
    lists(headers, &ACCEPT, "text/html")
}

/// Returns whether a field lists a value with a weight above zero.
fn lists(headers: &HeaderMap, field: &HeaderName, wanted: &str) -> bool {
    let values = headers.get_all(field).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|listed| {
        let mut parts = listed.split(';').map(str::trim);
        let is_wanted = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        is_wanted && !weight.is_some_and(|weight| weight.parse() == Ok(0.0_f32))
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

    #[test]
    fn html_is_sent_to_those_who_name_it() {
        for (value, expected) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("Text/HTML; charset=utf-8; q=0.5", true),
            ("text/html;level=1;q=0", false),
            ("text/html-not", false),
            ("application/json", false),
            ("*/*", false),
            ("text/*", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, value.parse().unwrap());
            assert_eq!(accepts_html(&headers), expected, "{value}");
        }
        assert!(!accepts_html(&HeaderMap::new()));
    }
}
