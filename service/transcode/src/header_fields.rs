//! Headers that set a field of the request, such as `Last-Event-ID`.

use http::HeaderName;
use prost_reflect::{FieldDescriptor, MethodDescriptor};
use serde_json::{Map, Value};

use crate::error::RequestError;
use crate::field_violation::{FieldProblem, FieldViolation};
use crate::{fields, json, value};

/// A header that sets the field of this name in every request message that has one.
#[derive(Debug, Clone)]
pub struct HeaderField {
    /// The header.
    pub header: HeaderName,
    /// The header in its usual capitalization: `Last-Event-ID`.
    pub display_name: &'static str,
    /// The proto name of the field.
    pub field: &'static str,
    /// What happens if the request sets the field as well.
    pub precedence: Precedence,
    /// Whether the header belongs to streams alone.
    pub streams_only: bool,
    /// A description for the OpenAPI document.
    pub description: &'static str,
}

impl HeaderField {
    /// Returns the field that the header sets in the request of an RPC, if it sets one.
    pub(crate) fn field_of(&self, rpc: &MethodDescriptor) -> Option<FieldDescriptor> {
        let applies = !self.streams_only || rpc.is_server_streaming();
        rpc.input().get_field_by_name(self.field).filter(|_| applies)
    }
}

/// What happens if a header and the rest of the request set the same field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// Both values must be equal.
    MustAgree,
    /// The header wins. A reconnecting EventSource repeats its old URL with a new header, so the fields
    /// `void` of that URL, which belong to the value that lost, count no more.
    HeaderWins {
        /// The proto names of the fields.
        void: &'static [&'static str],
    },
}

/// A header of a request and its value.
#[derive(Debug, Clone)]
pub struct HeaderBinding<'h> {
    /// The field that it sets.
    pub rule: &'h HeaderField,
    /// The value.
    pub text: &'h str,
}

/// Sets the header's field to its value.
pub(crate) fn bind(
    fields: &mut Map<String, Value>,
    rpc: &MethodDescriptor,
    binding: &HeaderBinding<'_>,
) -> Result<(), RequestError> {
    let HeaderBinding { rule, text } = binding;
    let Some(field) = rule.field_of(rpc) else { return Ok(()) };
    let message = rpc.input();
    let violation = |problem| FieldViolation::new(rule.display_name, problem);
    let value = value::from_text(&field.kind(), text).map_err(violation)?;
    // Decode it alone first, so that an error names the header instead of the field.
    let alone = Map::from_iter([(field.json_name().to_owned(), value.clone())]);
    json::decode(message.clone(), alone).map_err(|error| match error {
        RequestError::Field(wrong) => violation(wrong.problem).into(),
        other => other,
    })?;
    match (fields.get(field.json_name()), rule.precedence) {
        (Some(given), Precedence::MustAgree) if *given == value => Ok(()),
        (Some(_), Precedence::MustAgree) => {
            Err(violation(FieldProblem::HeaderConflict { field: field.json_name().to_owned() }).into())
        }
        (Some(_), Precedence::HeaderWins { void }) => {
            fields.insert(field.json_name().to_owned(), value);
            for void in void.iter().filter_map(|name| message.get_field_by_name(name)) {
                fields.remove(void.json_name());
            }
            Ok(())
        }
        (None, _) => fields::put(fields, &field, value).map_err(|problem| violation(problem).into()),
    }
}
