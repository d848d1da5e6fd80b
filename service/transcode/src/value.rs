//! Single values: which JSON a parameter's text stands for, and what the JSON decoder
//! would let pass although no value of the field's type is meant.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::Value;

use crate::error::FieldProblem;

/// Messages that JSON does not write as an object of their fields.
const THEIR_OWN_JSON: [&str; 16] = [
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

/// Those of them that JSON writes as a text.
const TEXTS: [&str; 3] =
    ["google.protobuf.Duration", "google.protobuf.FieldMask", "google.protobuf.Timestamp"];

pub(crate) fn has_its_own_json(message: &MessageDescriptor) -> bool {
    THEIR_OWN_JSON.contains(&message.full_name())
}

/// Whether `null` is a value of the field; elsewhere it means that there is none.
pub(crate) fn null_is_a_value(field: &FieldDescriptor) -> bool {
    !field.is_list()
        && match field.kind() {
            Kind::Message(message) => message.full_name() == "google.protobuf.Value",
            Kind::Enum(kind) => kind.full_name() == "google.protobuf.NullValue",
            _ => false,
        }
}

/// The JSON that the text of a path variable or a query parameter stands for.
pub(crate) fn from_text(kind: &Kind, text: &str) -> Result<Value, FieldProblem> {
    let kind = unwrapped(kind);
    let value = match &kind {
        Kind::Bool => text.parse().map_or_else(|_| text.into(), Value::Bool),
        Kind::Enum(_) => text.parse::<i32>().map_or_else(|_| text.into(), Value::from),
        Kind::Message(message) if !TEXTS.contains(&message.full_name()) => {
            return Err(FieldProblem::NotAValue);
        }
        _ => text.into(),
    };
    check(&kind, &value)?;
    Ok(value)
}

/// Refuses numbers that the decoder would silently bring into range, and spellings of
/// them that only Rust knows.
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
    if fits { Ok(()) } else { Err(FieldProblem::Invalid("not a number in range".to_owned())) }
}

/// Refuses other spellings of a number in a map's key, since two of them would be one key.
pub(crate) fn check_map_key(kind: &Kind, key: &str) -> Result<(), FieldProblem> {
    let canonical = match kind {
        Kind::String | Kind::Bool => true,
        _ => key.parse::<i128>().is_ok_and(|number| number.to_string() == key),
    };
    if canonical { Ok(()) } else { Err(FieldProblem::Invalid("not a whole number".to_owned())) }
}

fn is_float<E>(text: &str, is_finite: impl Fn(&str) -> Result<bool, E>) -> bool {
    // What is no number at all the decoder refuses in its own words.
    is_finite(text).unwrap_or(true) || ["NaN", "Infinity", "-Infinity"].contains(&text)
}

/// The scalar inside a wrapper such as `google.protobuf.Int64Value`.
fn unwrapped(kind: &Kind) -> Kind {
    let Kind::Message(message) = kind else { return kind.clone() };
    let name = message.full_name();
    let wrapper = name.starts_with("google.protobuf.") && name.ends_with("Value");
    match message.get_field_by_name("value").filter(|_| wrapper) {
        Some(inner) => inner.kind(),
        None => kind.clone(),
    }
}
