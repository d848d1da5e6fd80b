//! An invalid field of a request, and why it is invalid.

use prost_reflect::MessageDescriptor;
use thiserror::Error;

/// An invalid field of a request.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field}: {problem}")]
pub struct FieldViolation {
    /// The path of the field in JSON names, for example `moves[2].square`. Unknown names are as the client
    /// sent them.
    pub field: String,
    /// Why it is invalid.
    pub problem: FieldProblem,
}

/// Why a field is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FieldProblem {
    /// The message has no such field.
    #[error("there is no such field in {message}; it has: {known}")]
    Unknown {
        /// The message's name.
        message: String,
        /// The JSON names of its fields, as a list for people.
        known: String,
    },
    /// A name on the path of a query parameter, except the last, is not a singular message with fields.
    #[error(
        "is not the name of a field: only a singular message has fields of its own; set a list or a scalar \
         by its own name, as in `name=value`"
    )]
    NotAMessage,
    /// The field is set more than once, possibly under both of its names.
    #[error("set more than once; send it once")]
    Duplicate,
    /// The path sets the field, and the query sets it too or the body sets it to another value.
    #[error("already set by the path; leave it out, or repeat the path's value in the body")]
    SetByPath,
    /// A header and the request set the field to different values.
    #[error("must equal `{field}`; send one of the two, or the same value in both")]
    HeaderConflict {
        /// The field that the header sets.
        field: String,
    },
    /// Another field of the same oneof is set.
    #[error("must not be set together with `{other}`; send one of the two")]
    OneofConflict {
        /// The other field's JSON name.
        other: String,
    },
    /// A query parameter sets a field that belongs in the body.
    #[error("must be set in the body, not in the query")]
    BodyOnly,
    /// A query parameter names a map.
    #[error("must be set in the body: a query parameter cannot set a map")]
    Map,
    /// A query parameter names a message.
    #[error("set one of its fields, as in `name.field=value`; it has: {known}")]
    Message {
        /// The JSON names of its fields, as a list for people.
        known: String,
    },
    /// The path of a query parameter has too many names.
    #[error("a field path has at most {limit} names")]
    TooDeep {
        /// The maximum number of names.
        limit: usize,
    },
    /// The value is invalid for the field's type.
    #[error("{0}")]
    Invalid(String),
}

impl FieldProblem {
    /// Maximum number of fields to list.
    const MAX_LISTED: usize = 24;

    /// Returns the problem of a name that is not a field of this message.
    pub(crate) fn unknown(message: &MessageDescriptor) -> Self {
        Self::Unknown { message: message.name().to_owned(), known: Self::names(message) }
    }

    /// Returns the problem of a parameter that names this message instead of one of its fields.
    pub(crate) fn message(message: &MessageDescriptor) -> Self {
        Self::Message { known: Self::names(message) }
    }

    fn names(message: &MessageDescriptor) -> String {
        let mut names: Vec<String> = message.fields().map(|field| field.json_name().to_owned()).collect();
        let more = names.len() > Self::MAX_LISTED;
        names.truncate(Self::MAX_LISTED);
        match (names.as_slice(), more) {
            ([], _) => "no fields".to_owned(),
            (names, false) => names.join(", "),
            (names, true) => format!("{}, ...", names.join(", ")),
        }
    }
}

impl FieldViolation {
    /// Maximum number of characters of a field's name, which may be the client's own.
    const MAX_NAME: usize = 200;

    /// Maximum number of characters of an explanation, which may repeat a short value.
    const MAX_TEXT: usize = 500;

    pub(crate) fn new(field: impl Into<String>, problem: FieldProblem) -> Self {
        let problem = match problem {
            FieldProblem::Invalid(text) => FieldProblem::Invalid(truncate(text, Self::MAX_TEXT)),
            other => other,
        };
        Self { field: truncate(field.into(), Self::MAX_NAME), problem }
    }
}

fn truncate(mut text: String, max_chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(max_chars) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}
