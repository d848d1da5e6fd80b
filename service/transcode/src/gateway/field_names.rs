//! Names of fields in the error of a call: the service writes the paths of invalid fields in proto names, and
//! a client of the gateway knows JSON names.

use prost_reflect::{Kind, MessageDescriptor};
use tonic::Status;
use tonic_types::{ErrorDetail, StatusExt};

/// The name of a field and that of the header which set it.
pub(crate) type SetByHeader = (&'static str, &'static str);

/// Converts the paths of a status's BadRequest to JSON names, and a path with which its message begins. A
/// field that a header set is called by the header's name.
pub(crate) fn with_json_names(
    status: Status,
    request: &MessageDescriptor,
    headers: &[SetByHeader],
) -> Status {
    let mut details = status.get_error_details_vec();
    let violations = details.iter_mut().find_map(|detail| match detail {
        ErrorDetail::BadRequest(bad_request) => Some(&mut bad_request.field_violations),
        _ => None,
    });
    let Some(violations) = violations else { return status };
    let mut message = status.message().to_owned();
    for violation in violations {
        let header = headers.iter().find(|(field, _)| *field == violation.field);
        let path =
            header.map_or_else(|| json_path(request, &violation.field), |(_, name)| (*name).to_owned());
        if let Some(rest) = message.strip_prefix(&format!("{}: ", violation.field)) {
            message = format!("{path}: {rest}");
        }
        violation.field = path;
    }
    Status::with_error_details_vec_and_metadata(status.code(), message, details, status.metadata().clone())
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
