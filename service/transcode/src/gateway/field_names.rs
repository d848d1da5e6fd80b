//! Names of fields in the error of a call: the service writes paths and sentences in proto names, and a
//! client of the gateway knows JSON names.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use tonic::Status;
use tonic_types::{ErrorDetail, StatusExt};

/// The name of a field and that of the header which set it.
pub(crate) type SetByHeader = (&'static str, &'static str);

/// Converts the paths of a status's BadRequest to JSON names, and the fields that its message and its
/// descriptions name. A field that a header set is called by the header's name.
pub(crate) fn with_json_names(
    status: Status,
    request: &MessageDescriptor,
    headers: &[SetByHeader],
) -> Status {
    let names = FieldNames { request, headers };
    let mut details = status.get_error_details_vec();
    let mut message = None;
    for detail in &mut details {
        let ErrorDetail::BadRequest(bad_request) = detail else { continue };
        for violation in &mut bad_request.field_violations {
            let path = names.path(&violation.field);
            if let Some(rest) = status.message().strip_prefix(&format!("{}: ", violation.field)) {
                message.get_or_insert_with(|| format!("{path}: {}", names.sentence(rest)));
            }
            violation.description = names.sentence(&violation.description);
            violation.field = path;
        }
    }
    let message = message.unwrap_or_else(|| names.sentence(status.message()));
    Status::with_error_details_vec_and_metadata(status.code(), message, details, status.metadata().clone())
}

/// What the fields of a request are called by the client that sent it.
#[derive(Debug)]
pub struct FieldNames<'a> {
    request: &'a MessageDescriptor,
    headers: &'a [SetByHeader],
}

impl<'a> FieldNames<'a> {
    /// Returns the JSON names of a request's fields.
    pub(crate) fn of(request: &'a MessageDescriptor) -> Self {
        Self { request, headers: &[] }
    }
}

impl FieldNames<'_> {
    /// Converts the path of a field of the request.
    pub fn path(&self, path: &str) -> String {
        self.header(path).map_or_else(|| json_path(self.request, path), str::to_owned)
    }

    fn header(&self, field: &str) -> Option<&'static str> {
        self.headers.iter().find(|(set, _)| *set == field).map(|(_, name)| *name)
    }

    /// Converts each word of a text that is the name of a field.
    pub fn sentence(&self, text: &str) -> String {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (mut converted, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(start) = rest.find(is_part) {
            let (before, word) = rest.split_at(start);
            let (word, after) = word.split_at(word.find(|c| !is_part(c)).unwrap_or(word.len()));
            converted.push_str(before);
            match self.word(word) {
                Some(name) => converted.push_str(&name),
                None => converted.push_str(word),
            }
            rest = after;
        }
        converted + rest
    }

    /// Returns what a field is called whose JSON name differs from its name: one in the request, or in
    /// another message of its package. There the members of a oneof stay, since requests name them as values,
    /// for example kinds of events.
    fn word(&self, word: &str) -> Option<String> {
        if !word.contains('_') {
            return None;
        }
        let mut in_request = messages_in(self.request).into_iter();
        let messages = self.request.parent_pool().all_messages();
        let mut of_package = messages.filter(|message| message.package_name() == self.request.package_name());
        let field = in_request.find_map(|message| message.get_field_by_name(word)).or_else(|| {
            let is_member =
                |field: &FieldDescriptor| field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic());
            of_package.find_map(|message| message.get_field_by_name(word).filter(|field| !is_member(field)))
        })?;
        Some(self.header(word).map_or_else(|| field.json_name().to_owned(), str::to_owned))
    }
}

/// Returns a message and those of its fields, of their fields and so on.
fn messages_in(message: &MessageDescriptor) -> Vec<MessageDescriptor> {
    let mut found = vec![message.clone()];
    let mut next = 0;
    while let Some(message) = found.get(next).cloned() {
        for field in message.fields() {
            if let Kind::Message(inner) = field.kind()
                && !found.contains(&inner)
            {
                found.push(inner);
            }
        }
        next += 1;
    }
    found
}

/// Converts a path such as `options.moves[2].from_square`. What follows a name that is not a field is left as
/// it is.
fn json_path(message: &MessageDescriptor, path: &str) -> String {
    let (segment, rest) = match path.split_once('.') {
        Some((segment, rest)) => (segment, Some(rest)),
        None => (path, None),
    };
    let (name, index) = segment.split_at(segment.find('[').unwrap_or(segment.len()));
    let Some(field) = message.get_field_by_name(name) else { return path.to_owned() };
    let converted = format!("{}{index}", field.json_name());
    match (rest, field.kind()) {
        (None, _) => converted,
        // The next segment is a key of the map.
        (Some(rest), Kind::Message(inner)) if !field.is_map() => {
            format!("{converted}.{}", json_path(&inner, rest))
        }
        (Some(rest), _) => format!("{converted}.{rest}"),
    }
}
