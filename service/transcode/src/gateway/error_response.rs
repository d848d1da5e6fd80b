//! Error responses: a gRPC status as JSON, `{"error": {"code", "status", "reason", "message", "details"}}`.
//! All but `reason` are Google's mapping of errors to HTTP (AIP-193); `reason` repeats that of the details.

use std::sync::LazyLock;
use std::time::Duration;

use http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{Response, StatusCode};
use prost_reflect::{DescriptorPool, DynamicMessage, Value as Field};
use serde::Serialize;
use serde_json::Value;
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::message::AllFields;
use super::{Adapter, Rejection, metadata};

/// The descriptors of google.rpc: Status and all its detail messages.
static GOOGLE_RPC: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(tonic_types::pb::FILE_DESCRIPTOR_SET)
        .expect("the descriptors of tonic-types decode")
});

/// Returns the response for a failed call.
pub(crate) fn failed_call(adapter: &impl Adapter, status: &Status) -> Response<Body> {
    let error = adapter.http_error(status);
    let mut response = Response::new(Body::new(http_body_util::Full::from(json(adapter, status) + "\n")));
    *response.status_mut() = error.status;
    *response.headers_mut() = metadata::response_headers(status.metadata().clone());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(wait) = retry_delay(status) {
        // Round up to whole seconds, never down.
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    if error.status == StatusCode::UNAUTHORIZED {
        for challenge in adapter.challenges(status) {
            response.headers_mut().append(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
    }
    response
}

/// Returns the response for a rejected request.
pub(crate) fn rejected(adapter: &impl Adapter, rejection: &Rejection) -> Response<Body> {
    let mut response = failed_call(adapter, &adapter.status(rejection));
    if let Some(Ok(allow)) = rejection.allow().map(HeaderValue::try_from) {
        response.headers_mut().insert(ALLOW, allow);
    }
    if *rejection == Rejection::BodyTimeout {
        response.headers_mut().insert("connection", HeaderValue::from_static("close"));
    }
    response
}

/// Returns the JSON of an error, on one line.
pub(crate) fn json(adapter: &impl Adapter, status: &Status) -> String {
    let http = adapter.http_error(status);
    let error = Fields {
        code: http.status.as_u16(),
        status: code_name(status.code()),
        reason: http.reason,
        message: status.message(),
        details: details(status),
    };
    serde_json::to_string(&ErrorBody { error }).expect("strings and JSON values serialize")
}

#[derive(Serialize)]
struct ErrorBody<'s> {
    error: Fields<'s>,
}

#[derive(Serialize)]
struct Fields<'s> {
    code: u16,
    status: &'static str,
    reason: String,
    message: &'s str,
    details: Vec<Value>,
}

/// Returns the details in canonical ProtoJSON with `@type`, without those of unknown types.
fn details(status: &Status) -> Vec<Value> {
    let message = GOOGLE_RPC.get_message_by_name("google.rpc.Status").expect("google.rpc has Status");
    let Ok(decoded) = DynamicMessage::decode(message, status.details()) else { return Vec::new() };
    let Some(Field::List(list)) = decoded.get_field_by_name("details").map(std::borrow::Cow::into_owned)
    else {
        return Vec::new();
    };
    let messages = list.iter().filter_map(Field::as_message);
    messages.filter_map(|any| serde_json::to_value(AllFields(any)).ok()).collect()
}

/// Returns the delay in the status's RetryInfo.
pub(crate) fn retry_delay(status: &Status) -> Option<Duration> {
    status.get_details_retry_info()?.retry_delay
}

/// Returns the name of a gRPC code as in its specification, for example `FAILED_PRECONDITION`.
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_pool_has_the_messages_of_google_rpc() {
        for name in ["Status", "ErrorInfo", "BadRequest", "RetryInfo"] {
            assert!(super::GOOGLE_RPC.get_message_by_name(&format!("google.rpc.{name}")).is_some(), "{name}");
        }
    }
}
