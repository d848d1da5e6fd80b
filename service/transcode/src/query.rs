//! Query parameters: `limit=3&page.size=10&tags=a&tags=b` into the draft of a request.

use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value};

use crate::error::{FieldProblem, FieldViolation, RequestError};
use crate::field_path::{FieldPath, FieldPathError};
use crate::matching::Binding;
use crate::routes::Body;
use crate::{draft, percent, value};

/// The longest query string that is looked at.
pub const MAX_QUERY_BYTES: usize = 8192;

/// The most parameters, counting repeated ones each time.
pub const MAX_QUERY_PAIRS: usize = 100;

/// What of a request is spoken for before its query is read.
pub(crate) struct Taken<'a> {
    pub(crate) body: &'a Body,
    pub(crate) path: &'a [Binding],
}

/// Puts every parameter in its place.
pub(crate) fn fill(
    draft: &mut Map<String, Value>,
    message: &MessageDescriptor,
    query: &str,
    taken: &Taken<'_>,
) -> Result<(), RequestError> {
    for (name, text) in pairs(query)? {
        let field = FieldPath::from_any_names(message, &name).map_err(|error| unknown(&name, error))?;
        let value = taken
            .check(&field)
            .and_then(|()| value_of(&field, &text))
            .and_then(|value| draft::put_at(draft, &field, value));
        value.map_err(|problem| field.violation(problem))?;
    }
    Ok(())
}

/// The decoded names and values, in order. A name alone has an empty value.
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

fn value_of(field: &FieldPath, text: &str) -> Result<Value, FieldProblem> {
    if field.target().is_map() {
        return Err(FieldProblem::NotAValue);
    }
    value::from_text(&field.target().kind(), text)
}

fn unknown(name: &str, error: FieldPathError) -> FieldViolation {
    let problem = match error {
        FieldPathError::Unknown | FieldPathError::NotAMessage => FieldProblem::Unknown,
        FieldPathError::TooDeep => FieldProblem::TooDeep,
    };
    FieldViolation::new(name, problem)
}

impl Taken<'_> {
    fn check(&self, field: &FieldPath) -> Result<(), FieldProblem> {
        if self.path.iter().any(|binding| binding.field == *field) {
            return Err(FieldProblem::TwoPlaces);
        }
        match self.body {
            Body::Whole => Err(FieldProblem::BodyOnly),
            Body::Field(body) if body == field.root() => Err(FieldProblem::BodyOnly),
            Body::Field(_) | Body::None => Ok(()),
        }
    }
}
