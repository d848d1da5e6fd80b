//! Paths to fields: those that templates and query parameters name, and the places
//! in a JSON document that errors name.

use std::fmt;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use thiserror::Error;

use crate::error::{FieldProblem, FieldViolation};
use crate::value::has_its_own_json;

/// The most names that a dotted path can have.
pub const MAX_DEPTH: usize = 8;

/// A field of a message, or of a singular message in it, and so on down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath(Vec<FieldDescriptor>);

/// Why a dotted path names no field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FieldPathError {
    /// A message on the way has no such field.
    #[error("is not a field")]
    Unknown,
    /// A name follows on something that is not a singular message with fields.
    #[error("goes through something that has no fields of its own")]
    NotAMessage,
    /// Too many names.
    #[error("has more than {MAX_DEPTH} names")]
    TooDeep,
}

impl FieldPath {
    /// Follows proto names only, as annotations spell them.
    pub(crate) fn from_proto_names(message: &MessageDescriptor, path: &str) -> Result<Self, FieldPathError> {
        Self::follow(message, path, MessageDescriptor::get_field_by_name)
    }

    /// Follows proto names and JSON names, as clients may write either.
    pub(crate) fn from_any_names(message: &MessageDescriptor, path: &str) -> Result<Self, FieldPathError> {
        Self::follow(message, path, field_named)
    }

    fn follow(
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
                Some(parent) => message_in(parent).ok_or(FieldPathError::NotAMessage)?,
            };
            fields.push(look_up(&message, name).ok_or(FieldPathError::Unknown)?);
        }
        Ok(Self(fields))
    }

    /// The fields on the way, never none; the last is the one that is meant.
    pub fn fields(&self) -> &[FieldDescriptor] {
        &self.0
    }

    /// The field that is meant.
    pub fn target(&self) -> &FieldDescriptor {
        self.0.last().expect("splitting a text gives at least one name")
    }

    /// The field of the request itself that the path begins with.
    pub fn root(&self) -> &FieldDescriptor {
        &self.0[0]
    }

    pub(crate) fn violation(&self, problem: FieldProblem) -> FieldViolation {
        FieldViolation::new(self.to_string(), problem)
    }
}

/// With JSON names, as in the JSON form of the message.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, field) in self.0.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{}", field.json_name())?;
        }
        Ok(())
    }
}

/// The field that a JSON key or a query parameter names.
pub(crate) fn field_named(message: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    message.get_field_by_json_name(name).or_else(|| message.get_field_by_name(name))
}

fn message_in(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    match field.kind() {
        Kind::Message(message) if !field.is_list() && !field.is_map() && !has_its_own_json(&message) => {
            Some(message)
        }
        _ => None,
    }
}

/// A place in a JSON document, written like `moves[2].square`.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Root,
    Key(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    pub(crate) fn violation(&self, problem: FieldProblem) -> FieldViolation {
        FieldViolation::new(self.to_string(), problem)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(Self::Root, key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
