//! Converts request headers to metadata and response metadata to headers.

use http::header::{
    ACCEPT, ACCEPT_CHARSET, ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE,
    EXPECT, HOST, IF_NONE_MATCH, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName};
use tonic::metadata::MetadataMap;

/// Headers that concern only the connection between the client and the gateway.
const HOP_HEADERS: [HeaderName; 15] = [
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

/// Converts a request's headers to the metadata of a call to the same service: `authorization`,
/// `traceparent`, those of proxies, and the caller's own.
pub fn request_metadata(mut headers: HeaderMap) -> MetadataMap {
    drop_hop_headers(&mut headers);
    MetadataMap::from_headers(headers)
}

/// Converts a response's metadata to headers.
pub(crate) fn response_headers(metadata: MetadataMap) -> HeaderMap {
    let mut headers = metadata.into_headers();
    drop_hop_headers(&mut headers);
    headers
}

fn drop_hop_headers(headers: &mut HeaderMap) {
    // gRPC's own headers do not apply to the other protocol: encodings, deadlines, status.
    let grpc: Vec<HeaderName> =
        headers.keys().filter(|name| name.as_str().starts_with("grpc-")).cloned().collect();
    for name in HOP_HEADERS.iter().chain(&grpc) {
        headers.remove(name);
    }
    headers.remove("keep-alive");
    headers.remove("proxy-connection");
}
