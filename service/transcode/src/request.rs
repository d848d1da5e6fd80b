//! Builds the request message from path, query, headers and body of an HTTP request.

use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde_json::{Map, Value};

use crate::error::RequestError;
use crate::field_path::JsonLocation;
use crate::field_violation::FieldProblem;
use crate::header_fields::{self, HeaderBinding};
use crate::query::{self, SetElsewhere};
use crate::route_match::{Binding, RouteMatch};
use crate::routes::Body;
use crate::{fields, json, value};

impl RouteMatch<'_> {
    /// Builds the RPC's request message. `query` is the part of the URL after the question mark. The body is
    /// canonical ProtoJSON; an empty body means no body. The body may repeat a field of the path with the
    /// same value, so that the JSON of a gRPC call can be sent unchanged.
    pub fn request(&self, query: &str, body: &[u8]) -> Result<DynamicMessage, RequestError> {
        self.request_with(query, body, &[])
    }

    /// Builds the request message like [`RouteMatch::request`], with fields from headers.
    pub fn request_with(
        &self,
        query: &str,
        body: &[u8],
        headers: &[HeaderBinding<'_>],
    ) -> Result<DynamicMessage, RequestError> {
        let message = self.route().rpc().input();
        let mut fields = from_body(&message, self.route().body(), body)?;
        let elsewhere = SetElsewhere { body: self.route().body(), path: self.bindings() };
        query::set_fields(&mut fields, &message, query, &elsewhere)?;
        for binding in self.bindings() {
            bind(&mut fields, binding)?;
        }
        for header in headers {
            header_fields::bind(&mut fields, self.route().rpc(), header)?;
        }
        json::decode(message, fields)
    }
}

/// Builds the message that a whole body is.
pub(crate) fn message_of_body(
    message: &MessageDescriptor,
    body: &[u8],
) -> Result<DynamicMessage, RequestError> {
    json::decode(message.clone(), from_body(message, &Body::Whole, body)?)
}

fn from_body(
    message: &MessageDescriptor,
    rule: &Body,
    body: &[u8],
) -> Result<Map<String, Value>, RequestError> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    match rule {
        Body::None => Err(RequestError::UnexpectedBody),
        Body::Whole => match json::parse(body)? {
            Value::Object(object) => Ok(fields::from_object(message, object, JsonLocation::Root)?),
            _ => Err(RequestError::NotAnObject),
        },
        Body::Field(field) => {
            let at = JsonLocation::Key(&JsonLocation::Root, field.json_name());
            let mut fields = Map::new();
            match fields::field_value(field, json::parse(body)?, at)? {
                Value::Null if !value::is_null_a_value(field) => {}
                value => _ = fields.insert(field.json_name().to_owned(), value),
            }
            Ok(fields)
        }
    }
}

fn bind(fields: &mut Map<String, Value>, binding: &Binding) -> Result<(), RequestError> {
    let field = &binding.field;
    let value = value::from_text(&field.target().kind(), &binding.value)
        .map_err(|problem| field.violation(problem))?;
    match fields::put_at(fields, field, value.clone()) {
        // Variables are distinct, so the existing value came from the body.
        Err(FieldProblem::Duplicate)
            if fields::get_at(fields, field).is_some_and(|own| same(own, &value)) =>
        {
            Ok(())
        }
        Err(FieldProblem::Duplicate) => Err(field.violation(FieldProblem::SetByPath).into()),
        result => result.map_err(|problem| field.violation(problem).into()),
    }
}

/// Returns whether a body's value and a path's are equal. A path's number is still a text.
fn same(own: &Value, bound: &Value) -> bool {
    match (own, bound) {
        (Value::Number(own), Value::String(bound)) => own.to_string() == *bound,
        _ => own == bound,
    }
}
