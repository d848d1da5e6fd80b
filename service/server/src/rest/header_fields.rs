//! HTTP headers that are aliases of request fields.

use http::HeaderName;
use transcode::{HeaderField, Precedence};

/// The aliases, by field.
pub(super) const HEADER_FIELDS: [HeaderField; 3] = [
    HeaderField {
        header: HeaderName::from_static("idempotency-key"),
        display_name: "Idempotency-Key",
        field: "request_id",
        precedence: Precedence::MustAgree,
        description: "Alias of `requestId`: a UUID chosen by the caller. If both are present, they must be \
                      equal.",
    },
    HeaderField {
        header: HeaderName::from_static("last-event-id"),
        display_name: "Last-Event-ID",
        field: "after_seq",
        precedence: Precedence::HeaderWins { void: &["after_hash"] },
        description: "Alias of `afterSeq`, which it overrides together with its `afterHash`: the `id` of the \
                      last frame received. Browsers' EventSource sends it automatically.",
    },
    HeaderField {
        header: HeaderName::from_static("last-event-id"),
        display_name: "Last-Event-ID",
        field: "after",
        precedence: Precedence::HeaderWins { void: &[] },
        description: "Alias of `after`, which it overrides: the `id` of the last frame received. Browsers' \
                      EventSource sends it automatically.",
    },
];
