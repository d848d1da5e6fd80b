//! HTTP headers that are aliases of request fields.

use http::HeaderName;
use transcode::{HeaderField, Precedence};

/// The aliases, by field.
pub(super) const HEADER_FIELDS: [HeaderField; 4] = [
    HeaderField {
        header: HeaderName::from_static("idempotency-key"),
        display_name: "Idempotency-Key",
        field: "request_id",
        precedence: Precedence::MustAgree,
        streams_only: false,
        description: "Alias of `requestId`: a UUID chosen by the caller. If both are present, they must be \
                      equal.",
    },
    HeaderField {
        header: HeaderName::from_static("last-event-id"),
        display_name: "Last-Event-ID",
        field: "after_seq",
        precedence: Precedence::HeaderWins { void: &["after_hash"] },
        streams_only: true,
        description: "Alias of `afterSeq`, which it overrides together with its `afterHash`: the `id` of the \
                      last frame received. Browsers' EventSource sends it automatically.",
    },
    HeaderField {
        header: HeaderName::from_static("last-event-id"),
        display_name: "Last-Event-ID",
        field: "after",
        precedence: Precedence::HeaderWins { void: &[] },
        streams_only: true,
        description: "Alias of `after`, which it overrides: the `id` of the last frame received. Browsers' \
                      EventSource sends it automatically.",
    },
    HeaderField {
        header: HeaderName::from_static("last-event-id"),
        display_name: "Last-Event-ID",
        field: "page_token",
        precedence: Precedence::HeaderWins { void: &[] },
        streams_only: true,
        description: "Alias of `pageToken`, which it overrides: the newest `id` received. Browsers' \
                      EventSource sends it automatically.",
    },
];
