//! Messages as canonical ProtoJSON, every field shown.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Response};
use http_body_util::Full;
use prost_reflect::{DynamicMessage, FieldDescriptor, SerializeOptions};
use serde::Serialize;
use serde_json::Value;
use tonic::Status;
use tonic::body::Body;

use super::Form;

/// A unary RPC's answer.
pub(crate) fn response(
    message: &DynamicMessage,
    only: Option<&FieldDescriptor>,
    headers: HeaderMap,
) -> Result<Response<Body>, Status> {
    let mut text = text(message, only)?;
    text.push('\n');
    let mut response = Response::new(Body::new(Full::new(Bytes::from(text))));
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(Form::Json.media_type()));
    Ok(response)
}

/// The message, or only the field that the route's `response_body` names, on one line.
pub(crate) fn text(message: &DynamicMessage, only: Option<&FieldDescriptor>) -> Result<String, Status> {
    let Some(field) = only else { return written(&Whole(message)) };
    let whole = serde_json::to_value(Whole(message)).map_err(failed)?;
    written(whole.get(field.json_name()).unwrap_or(&Value::Null))
}

/// A message with all its fields, those with default values too.
pub(crate) struct Whole<'m>(pub(crate) &'m DynamicMessage);

impl Serialize for Whole<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_with_options(serializer, &SerializeOptions::new().skip_default_fields(false))
    }
}

fn written(value: &impl Serialize) -> Result<String, Status> {
    serde_json::to_string(value).map_err(failed)
}

/// A timestamp beyond the calendar has no JSON, for one.
fn failed(error: serde_json::Error) -> Status {
    Status::internal(format!("the answer has no JSON form: {error}"))
}
