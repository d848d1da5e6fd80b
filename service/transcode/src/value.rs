//! Single values: converts parameters to JSON, and rejects values that the JSON decoder would accept although
//! they are invalid for the field's type.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::Value;

use crate::expected::{problem_of, problem_of_key};
use crate::field_violation::FieldProblem;

/// Messages whose JSON form is not an object of their fields.
const SPECIAL_JSON: [&str; 16] = [
    "google.protobuf.Any",
    "google.protobuf.BoolValue",
    "google.protobuf.BytesValue",
    "google.protobuf.DoubleValue",
    "google.protobuf.Duration",
    "google.protobuf.FieldMask",
    "google.protobuf.FloatValue",
    "google.protobuf.Int32Value",
    "google.protobuf.Int64Value",
    "google.protobuf.ListValue",
    "google.protobuf.StringValue",
    "google.protobuf.Struct",
    "google.protobuf.Timestamp",
    "google.protobuf.UInt32Value",
    "google.protobuf.UInt64Value",
    "google.protobuf.Value",
];

/// Messages whose JSON form is a string.
const TEXTS: [&str; 3] =
    ["google.protobuf.Duration", "google.protobuf.FieldMask", "google.protobuf.Timestamp"];

/// Returns whether the JSON form of a message is not an object of its fields.
pub(crate) fn has_special_json(message: &MessageDescriptor) -> bool {
    SPECIAL_JSON.contains(&message.full_name())
}

/// Returns whether `null` is a value of the field. For other fields it means that the field is not set.
pub(crate) fn is_null_a_value(field: &FieldDescriptor) -> bool {
    !field.is_list()
        && match field.kind() {
            Kind::Message(message) => message.full_name() == "google.protobuf.Value",
            Kind::Enum(kind) => kind.full_name() == "google.protobuf.NullValue",
            _ => false,
        }
}

/// Converts the text of a path variable, a query parameter or a header to JSON.
pub(crate) fn from_text(kind: &Kind, text: &str) -> Result<Value, FieldProblem> {
    let kind = unwrapped(kind);
    let value = match &kind {
        Kind::Bool => text.parse().map_or_else(|_| text.into(), Value::Bool),
        Kind::Enum(_) => text.parse::<i32>().map_or_else(|_| text.into(), Value::from),
        Kind::Message(message) if !TEXTS.contains(&message.full_name()) => {
            return Err(FieldProblem::message(message));
        }
        _ => text.into(),
    };
    check(&kind, &value)?;
    Ok(value)
}

/// Rejects numbers that the decoder would silently clamp, and number formats that only Rust accepts.
pub(crate) fn check(kind: &Kind, value: &Value) -> Result<(), FieldProblem> {
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    let number = value.as_f64().filter(|_| value.is_f64());
    let text = value.as_str();
    let fits = match unwrapped(kind) {
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => number.is_none_or(|n| n.abs() < TWO_TO_63),
        Kind::Uint64 | Kind::Fixed64 => number.is_none_or(|n| n < 2.0 * TWO_TO_63),
        Kind::Float => text.is_none_or(|text| is_float(text, |text| text.parse::<f32>().map(f32::is_finite))),
        Kind::Double => {
            text.is_none_or(|text| is_float(text, |text| text.parse::<f64>().map(f64::is_finite)))
        }
        _ => true,
    };
    if fits { Ok(()) } else { Err(FieldProblem::Invalid(problem_of(kind, value))) }
}

/// Rejects non-canonical numbers as map keys, since two formats of a number would be the same key.
pub(crate) fn check_map_key(kind: &Kind, key: &str) -> Result<(), FieldProblem> {
    let canonical = match kind {
        Kind::String | Kind::Bool => true,
        _ => key.parse::<i128>().is_ok_and(|number| number.to_string() == key),
    };
    if canonical { Ok(()) } else { Err(FieldProblem::Invalid(problem_of_key(kind, key))) }
}

fn is_float<E>(text: &str, is_finite: impl Fn(&str) -> Result<bool, E>) -> bool {
    // The decoder rejects texts that are not numbers.
    is_finite(text).unwrap_or(true) || ["NaN", "Infinity", "-Infinity"].contains(&text)
}

/// Returns the scalar in a wrapper such as `google.protobuf.Int64Value`, and other kinds unchanged.
pub(crate) fn unwrapped(kind: &Kind) -> Kind {
    let Kind::Message(message) = kind else { return kind.clone() };
    let name = message.full_name();
    let wrapper = name.starts_with("google.protobuf.") && name.ends_with("Value");
    match message.get_field_by_name("value").filter(|_| wrapper) {
        Some(inner) => inner.kind(),
        None => kind.clone(),
    }
}
