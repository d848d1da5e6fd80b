//! A gRPC status as the JSON of an error:
//! `{"error": {"code", "reason", "message", "details"}}`.

use std::sync::LazyLock;
use std::time::Duration;

use http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{Response, StatusCode};
use prost_reflect::{DescriptorPool, DynamicMessage, Value as Field};
use serde::Serialize;
use serde_json::Value;
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::message::Whole;
use super::{Host, Refusal, metadata};

/// google.rpc: the statuses and all details that a client can expect in them.
static GOOGLE_RPC: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(tonic_types::pb::FILE_DESCRIPTOR_SET).expect("the library's descriptors decode")
});

/// The error as a whole answer.
pub(crate) fn response(host: &impl Host, status: &Status) -> Response<Body> {
    let failure = host.failure(status);
    let mut response = Response::new(Body::new(http_body_util::Full::from(text(host, status) + "\n")));
    *response.status_mut() = failure.http;
    *response.headers_mut() = metadata::of_answer(status.metadata().clone());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(wait) = retry_delay(status) {
        // Whole seconds, and never sooner than was said.
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    if failure.http == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert("www-authenticate", HeaderValue::from_static("Bearer"));
    }
    response
}

/// What went wrong with the request itself, as a whole answer.
pub(crate) fn refused(host: &impl Host, refusal: &Refusal) -> Response<Body> {
    let mut response = response(host, &host.refusal(refusal));
    if let Some(Ok(allow)) = refusal.allow().map(HeaderValue::try_from) {
        response.headers_mut().insert(ALLOW, allow);
    }
    if *refusal == Refusal::BodyTooSlow {
        response.headers_mut().insert("connection", HeaderValue::from_static("close"));
    }
    response
}

/// The error's JSON, on one line.
pub(crate) fn text(host: &impl Host, status: &Status) -> String {
    let error = Fields {
        code: code_name(status.code()),
        reason: host.failure(status).reason,
        message: status.message(),
        details: details(status),
    };
    serde_json::to_string(&ErrorBody { error }).expect("texts and JSON have a JSON form")
}

#[derive(Serialize)]
struct ErrorBody<'s> {
    error: Fields<'s>,
}

#[derive(Serialize)]
struct Fields<'s> {
    code: &'static str,
    reason: String,
    message: &'s str,
    details: Vec<Value>,
}

/// The details in canonical ProtoJSON, with `@type`; those of unknown types are left out.
fn details(status: &Status) -> Vec<Value> {
    let message = GOOGLE_RPC.get_message_by_name("google.rpc.Status").expect("google.rpc has it");
    let Ok(decoded) = DynamicMessage::decode(message, status.details()) else { return Vec::new() };
    let Some(Field::List(list)) = decoded.get_field_by_name("details").map(std::borrow::Cow::into_owned)
    else {
        return Vec::new();
    };
    let messages = list.iter().filter_map(Field::as_message);
    messages.filter_map(|any| serde_json::to_value(Whole(any)).ok()).collect()
}

pub(crate) fn retry_delay(status: &Status) -> Option<Duration> {
    status.get_details_retry_info()?.retry_delay
}

/// `FAILED_PRECONDITION`, as gRPC's own texts write it.
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
    fn every_detail_of_google_rpc_is_known() {
        for name in ["Status", "ErrorInfo", "BadRequest", "RetryInfo"] {
            assert!(super::GOOGLE_RPC.get_message_by_name(&format!("google.rpc.{name}")).is_some(), "{name}");
        }
    }
}
