//! Messages as canonical ProtoJSON with all fields.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Response};
use http_body_util::Full;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, ReflectMessage as _, SerializeOptions};
use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Value;
use tonic::Status;
use tonic::body::Body;

use super::ordered::{Ordered, has_long_map};
use super::{Adapter, ResponseFormat};

/// The text to compute a response's entity tag from, in the extensions of responses whose body has volatile
/// fields: the body without them.
#[derive(Debug, Clone)]
pub struct TaggedText(pub Bytes);

/// Returns the response of a unary RPC.
pub(crate) fn response(
    adapter: &impl Adapter,
    message: &mut DynamicMessage,
    only: Option<&FieldDescriptor>,
    headers: HeaderMap,
) -> Result<Response<Body>, Status> {
    let mut response = Response::new(Body::new(Full::new(line(message, only)?)));
    *response.headers_mut() = headers;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(ResponseFormat::Json.media_type()));
    if adapter.clear_volatile(message) {
        response.extensions_mut().insert(TaggedText(line(message, only)?));
    }
    Ok(response)
}

fn line(message: &DynamicMessage, only: Option<&FieldDescriptor>) -> Result<Bytes, Status> {
    Ok((json(message, only)? + "\n").into())
}

/// Returns the message, or only the field that the route's `response_body` names, as JSON on one line.
pub(crate) fn json(message: &DynamicMessage, only: Option<&FieldDescriptor>) -> Result<String, Status> {
    let Some(field) = only else { return to_string(&AllFields(message)) };
    let whole = serde_json::to_value(AllFields(message)).map_err(failed)?;
    to_string(whole.get(field.json_name()).unwrap_or(&Value::Null))
}

/// Returns a message of the type `name` as canonical ProtoJSON with all fields, on one line. Returns `None`
/// if it has no JSON form, for example because of a timestamp out of range.
pub fn message_json(pool: &DescriptorPool, name: &str, message: &impl Message) -> Option<String> {
    let descriptor = pool.get_message_by_name(name)?;
    let message = DynamicMessage::decode(descriptor, message.encode_to_vec().as_slice()).ok()?;
    json(&message, None).ok()
}

/// Serializes a message with all its fields, including those with default values, and maps in order.
pub(crate) struct AllFields<'m>(pub(crate) &'m DynamicMessage);

impl Serialize for AllFields<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = SerializeOptions::new().skip_default_fields(false);
        if !has_long_map(self.0) {
            return self.0.serialize_with_options(serializer, &options);
        }
        let json = self.0.serialize_with_options(serde_json::value::Serializer, &options);
        let json = json.map_err(S::Error::custom)?;
        Ordered { descriptor: &self.0.descriptor(), json: &json }.serialize(serializer)
    }
}

fn to_string(value: &impl Serialize) -> Result<String, Status> {
    serde_json::to_string(value).map_err(failed)
}

/// Some messages have no JSON form, for example timestamps out of range.
fn failed(error: serde_json::Error) -> Status {
    Status::internal(format!("the response has no JSON form: {error}"))
}
