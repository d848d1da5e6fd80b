//! Query parameters: sets the fields of a request from `limit=3&page.size=10&tags=a&tags=b`.

use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value};

use crate::error::RequestError;
use crate::field_path::{FieldPath, FieldPathError, MAX_DEPTH, last_message};
use crate::field_violation::{FieldProblem, FieldViolation};
use crate::route_match::Binding;
use crate::routes::Body;
use crate::{fields, percent, value};

/// Maximum length of a query string, in bytes.
pub const MAX_QUERY_BYTES: usize = 8192;

/// Maximum number of query parameters, counting repetitions.
pub const MAX_QUERY_PAIRS: usize = 200;

/// The parts of a request message that query parameters must not set.
pub(crate) struct SetElsewhere<'a> {
    pub(crate) body: &'a Body,
    pub(crate) path: &'a [Binding],
}

/// Sets the field of every parameter.
pub(crate) fn set_fields(
    fields: &mut Map<String, Value>,
    message: &MessageDescriptor,
    query: &str,
    elsewhere: &SetElsewhere<'_>,
) -> Result<(), RequestError> {
    for (name, text) in pairs(query)? {
        let field =
            FieldPath::from_any_names(message, &name).map_err(|error| unknown(message, &name, error))?;
        let value = elsewhere
            .check(&field)
            .and_then(|()| parse(&field, &text))
            .and_then(|value| fields::put_at(fields, &field, value));
        value.map_err(|problem| field.violation(problem))?;
    }
    Ok(())
}

/// Splits a query string into decoded names and values. A name without `=` has an empty value.
fn pairs(query: &str) -> Result<Vec<(String, String)>, RequestError> {
    if query.len() > MAX_QUERY_BYTES {
        return Err(RequestError::QueryTooLong { limit: MAX_QUERY_BYTES });
    }
    let parts: Vec<&str> = query.split('&').filter(|part| !part.is_empty()).collect();
    if parts.len() > MAX_QUERY_PAIRS {
        return Err(RequestError::TooManyParameters { limit: MAX_QUERY_PAIRS });
    }
    let decode = |text| percent::decode_query(text).map_err(RequestError::BadQuery);
    parts
        .into_iter()
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .map(|(name, value)| Ok((decode(name)?, decode(value)?)))
        .collect()
}

fn parse(field: &FieldPath, text: &str) -> Result<Value, FieldProblem> {
    if field.target().is_map() {
        return Err(FieldProblem::Map);
    }
    value::from_text(&field.target().kind(), text)
}

fn unknown(message: &MessageDescriptor, name: &str, error: FieldPathError) -> FieldViolation {
    let problem = match error {
        FieldPathError::Unknown => FieldProblem::unknown(&last_message(message, name)),
        FieldPathError::NotAMessage => FieldProblem::NotAMessage,
        FieldPathError::TooDeep => FieldProblem::TooDeep { limit: MAX_DEPTH },
    };
    FieldViolation::new(name, problem)
}

impl SetElsewhere<'_> {
    fn check(&self, field: &FieldPath) -> Result<(), FieldProblem> {
        if self.path.iter().any(|binding| binding.field == *field) {
            return Err(FieldProblem::SetByPath);
        }
        match self.body {
            Body::Whole => Err(FieldProblem::BodyOnly),
            Body::Field(body) if body == field.root() => Err(FieldProblem::BodyOnly),
            Body::Field(_) | Body::None => Ok(()),
        }
    }
}
