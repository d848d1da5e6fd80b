//! Schemas of values that are not messages: scalars, and well-known types with a JSON form of their own.

use prost_reflect::{Kind, MessageDescriptor};
use serde_json::{Value, json};

/// Returns the schema of a scalar.
pub(crate) fn of_scalar(kind: &Kind) -> Value {
    match kind {
        Kind::Bool => json!({"type": "boolean"}),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => json!({"type": "integer", "format": "int32"}),
        Kind::Uint32 | Kind::Fixed32 => json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
            json!({"type": "string", "pattern": "^-?[0-9]{1,19}$"})
        }
        Kind::Uint64 | Kind::Fixed64 => json!({"type": "string", "pattern": "^[0-9]{1,20}$"}),
        Kind::Float | Kind::Double => {
            json!({"oneOf": [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"]}]})
        }
        Kind::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
        _ => json!({"type": "string"}),
    }
}

/// Returns the schema of a message whose JSON form is not an object of its fields.
pub(crate) fn well_known(message: &MessageDescriptor) -> Value {
    match message.name() {
        "Timestamp" => json!({"type": "string", "format": "date-time"}),
        "Duration" => json!({"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,9})?s$"}),
        "FieldMask" => json!({"type": "string"}),
        "Any" => {
            json!({"type": "object", "required": ["@type"], "properties": {"@type": {"type": "string"}}})
        }
        "Struct" => json!({"type": "object"}),
        "ListValue" => json!({"type": "array"}),
        "Value" => json!({}),
        // The JSON form of a wrapper is its value.
        _ => message.get_field_by_name("value").map_or(json!({}), |value| of_scalar(&value.kind())),
    }
}
