//! Paths to fields, as templates and query parameters name them, and locations in a JSON document, as errors
//! name them.

use std::fmt;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use thiserror::Error;

use crate::field_violation::{FieldProblem, FieldViolation};
use crate::value::has_special_json;

/// Maximum number of names in a field path.
pub const MAX_DEPTH: usize = 8;

/// A path to a field of a message, possibly through singular message fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath(Vec<FieldDescriptor>);

/// Why a field path does not lead to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FieldPathError {
    /// A message on the path has no field of this name.
    #[error("is not a field")]
    Unknown,
    /// A name on the path, except the last, is not a singular message with fields.
    #[error("leads through a field that is not a singular message")]
    NotAMessage,
    /// The path has too many names.
    #[error("has more than {MAX_DEPTH} names")]
    TooDeep,
}

impl FieldPath {
    /// Resolves a path of proto names, which annotations use.
    pub(crate) fn from_proto_names(message: &MessageDescriptor, path: &str) -> Result<Self, FieldPathError> {
        Self::resolve(message, path, MessageDescriptor::get_field_by_name)
    }

    /// Resolves a path of proto names and JSON names, both of which clients may use.
    pub(crate) fn from_any_names(message: &MessageDescriptor, path: &str) -> Result<Self, FieldPathError> {
        Self::resolve(message, path, field_named)
    }

    fn resolve(
        message: &MessageDescriptor,
        path: &str,
        look_up: fn(&MessageDescriptor, &str) -> Option<FieldDescriptor>,
    ) -> Result<Self, FieldPathError> {
        let mut fields: Vec<FieldDescriptor> = Vec::new();
        for name in path.split('.') {
            if fields.len() == MAX_DEPTH {
                return Err(FieldPathError::TooDeep);
            }
            let message = match fields.last() {
                None => message.clone(),
                Some(parent) => singular_message(parent).ok_or(FieldPathError::NotAMessage)?,
            };
            fields.push(look_up(&message, name).ok_or(FieldPathError::Unknown)?);
        }
        Ok(Self(fields))
    }

    /// Returns the fields on the path, at least one; the last is the target.
    pub fn fields(&self) -> &[FieldDescriptor] {
        &self.0
    }

    /// Returns the field that the path leads to.
    pub fn target(&self) -> &FieldDescriptor {
        self.0.last().expect("splitting a string yields at least one name")
    }

    /// Returns the first field on the path, which is a field of the request itself.
    pub fn root(&self) -> &FieldDescriptor {
        &self.0[0]
    }

    pub(crate) fn violation(&self, problem: FieldProblem) -> FieldViolation {
        FieldViolation::new(self.to_string(), problem)
    }
}

/// Formats the path with JSON names.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, field) in self.0.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{}", field.json_name())?;
        }
        Ok(())
    }
}

/// Returns the last message that a path of field names leads to.
pub(crate) fn last_message(message: &MessageDescriptor, path: &str) -> MessageDescriptor {
    let mut last = message.clone();
    for name in path.split('.').take(MAX_DEPTH) {
        match field_named(&last, name).as_ref().and_then(singular_message) {
            Some(inner) => last = inner,
            None => break,
        }
    }
    last
}

/// Returns the field with this JSON name or proto name.
pub(crate) fn field_named(message: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    message.get_field_by_json_name(name).or_else(|| message.get_field_by_name(name))
}

fn singular_message(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    match field.kind() {
        Kind::Message(message) if !field.is_list() && !field.is_map() && !has_special_json(&message) => {
            Some(message)
        }
        _ => None,
    }
}

/// A location in a JSON document, formatted like `moves[2].square`.
#[derive(Clone, Copy)]
pub(crate) enum JsonLocation<'a> {
    Root,
    Key(&'a JsonLocation<'a>, &'a str),
    Item(&'a JsonLocation<'a>, usize),
}

impl JsonLocation<'_> {
    pub(crate) fn violation(&self, problem: FieldProblem) -> FieldViolation {
        FieldViolation::new(self.to_string(), problem)
    }
}

impl fmt::Display for JsonLocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(Self::Root, key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
