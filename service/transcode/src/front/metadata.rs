//! Headers that go along with a call, both ways.

use http::header::{
    ACCEPT, ACCEPT_CHARSET, ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE,
    EXPECT, HOST, IF_NONE_MATCH, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName};
use tonic::metadata::MetadataMap;

/// What is between the client and this front alone.
const OURS: [HeaderName; 15] = [
    ACCEPT,
    ACCEPT_CHARSET,
    ACCEPT_ENCODING,
    CONNECTION,
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    EXPECT,
    HOST,
    IF_NONE_MATCH,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// A request's headers as the metadata of a call: `authorization`, `traceparent`, what
/// proxies say, and the caller's own.
pub(crate) fn of_request(mut headers: HeaderMap) -> MetadataMap {
    drop_ours(&mut headers);
    MetadataMap::from_headers(headers)
}

/// An answer's metadata as headers.
pub(crate) fn of_answer(metadata: MetadataMap) -> HeaderMap {
    let mut headers = metadata.into_headers();
    drop_ours(&mut headers);
    headers
}

fn drop_ours(headers: &mut HeaderMap) {
    // gRPC's own words, which here would be lies: nothing is compressed, no deadline is kept.
    let grpc: Vec<HeaderName> =
        headers.keys().filter(|name| name.as_str().starts_with("grpc-")).cloned().collect();
    for name in OURS.iter().chain(&grpc) {
        headers.remove(name);
    }
    headers.remove("keep-alive");
    headers.remove("proxy-connection");
}
