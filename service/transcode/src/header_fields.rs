//! Headers that are another spelling of a request's field, such as `Last-Event-ID`.

use http::HeaderName;
use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value};

use crate::error::{FieldProblem, FieldViolation, RequestError};
use crate::{draft, json, value};

/// A header that fills the field of this name in every request that has one.
#[derive(Debug, Clone)]
pub struct HeaderField {
    /// The header.
    pub header: HeaderName,
    /// The header as people write it: `Last-Event-ID`.
    pub spelling: &'static str,
    /// The field's name in the proto.
    pub field: &'static str,
    /// What holds when the field is given as well.
    pub both: Both,
    /// One sentence for the description of the API.
    pub description: &'static str,
}

/// What holds when a header and the rest of the request give the same field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Both {
    /// They have to say the same.
    Agree,
    /// The header counts: it is newer than the URL that it came with.
    HeaderWins,
}

/// A header of a request, and the text that it has.
#[derive(Debug, Clone)]
pub struct HeaderBinding<'h> {
    /// What the header means.
    pub rule: &'h HeaderField,
    /// Its value.
    pub text: &'h str,
}

/// Puts the header's value into its field.
pub(crate) fn bind(
    draft: &mut Map<String, Value>,
    message: &MessageDescriptor,
    binding: &HeaderBinding<'_>,
) -> Result<(), RequestError> {
    let HeaderBinding { rule, text } = binding;
    let Some(field) = message.get_field_by_name(rule.field) else { return Ok(()) };
    let violation = |problem| FieldViolation::new(rule.spelling, problem);
    let value = value::from_text(&field.kind(), text).map_err(violation)?;
    // Decoded here once, so that the error names the header and not the field.
    let alone = Map::from_iter([(field.json_name().to_owned(), value.clone())]);
    json::decode(message.clone(), alone).map_err(|error| match error {
        RequestError::Field(wrong) => violation(wrong.problem).into(),
        other => other,
    })?;
    match (draft.get(field.json_name()), rule.both) {
        (Some(given), Both::Agree) if *given == value => Ok(()),
        (Some(_), Both::Agree) => {
            Err(violation(FieldProblem::Differs { field: field.json_name().to_owned() }).into())
        }
        (Some(_), Both::HeaderWins) => {
            draft.insert(field.json_name().to_owned(), value);
            Ok(())
        }
        (None, _) => draft::put(draft, &field, value).map_err(|problem| violation(problem).into()),
    }
}
