//! Path, query and body of an HTTP request as one request message.

use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde_json::{Map, Value};

use crate::error::{FieldProblem, RequestError};
use crate::field_path::Place;
use crate::header_fields::{self, HeaderBinding};
use crate::matching::{Binding, Matched};
use crate::query::{self, Taken};
use crate::routes::Body;
use crate::{draft, json, value};

impl Matched<'_> {
    /// Makes the RPC's request message. `query` is what follows the question mark. The
    /// body is canonical ProtoJSON; an empty one counts as left out. A field that the path
    /// gives may stand in the body again with the same value, so that the JSON of a gRPC
    /// call can be sent as it is.
    pub fn request(&self, query: &str, body: &[u8]) -> Result<DynamicMessage, RequestError> {
        self.request_with(query, body, &[])
    }

    /// The same with fields that headers give.
    pub fn request_with(
        &self,
        query: &str,
        body: &[u8],
        headers: &[HeaderBinding<'_>],
    ) -> Result<DynamicMessage, RequestError> {
        let message = self.route().rpc().input();
        let mut draft = from_body(&message, self.route().body(), body)?;
        let taken = Taken { body: self.route().body(), path: self.bindings() };
        query::fill(&mut draft, &message, query, &taken)?;
        for binding in self.bindings() {
            bind(&mut draft, binding)?;
        }
        for header in headers {
            header_fields::bind(&mut draft, &message, header)?;
        }
        json::decode(message, draft)
    }
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
            Value::Object(object) => Ok(draft::object(message, object, Place::Root)?),
            _ => Err(RequestError::NotAnObject),
        },
        Body::Field(field) => {
            let at = Place::Key(&Place::Root, field.json_name());
            let mut draft = Map::new();
            match draft::field_value(field, json::parse(body)?, at)? {
                Value::Null if !value::null_is_a_value(field) => {}
                value => _ = draft.insert(field.json_name().to_owned(), value),
            }
            Ok(draft)
        }
    }
}

fn bind(draft: &mut Map<String, Value>, binding: &Binding) -> Result<(), RequestError> {
    let field = &binding.field;
    let value = value::from_text(&field.target().kind(), &binding.value)
        .map_err(|problem| field.violation(problem))?;
    match draft::put_at(draft, field, value.clone()) {
        // Variables are distinct, so what stands there came with the body.
        Err(FieldProblem::Duplicate) if draft::at(draft, field) == Some(&value) => Ok(()),
        Err(FieldProblem::Duplicate) => Err(field.violation(FieldProblem::TwoPlaces).into()),
        put => put.map_err(|problem| field.violation(problem).into()),
    }
}
