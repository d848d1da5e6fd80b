//! Options of fields as keywords of JSON Schema: `google.api.field_behavior` and the rules of
//! `buf.validate.field`.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value as Field};
use serde_json::{Value, json};

const BEHAVIOR: &str = "google.api.field_behavior";
const RULES: &str = "buf.validate.field";

/// `REQUIRED` in `google.api.FieldBehavior`.
const REQUIRED: i32 = 2;

/// Returns whether requests must set the field.
pub(crate) fn is_required(field: &FieldDescriptor) -> bool {
    let behaviors = option(field, BEHAVIOR);
    let behaviors = behaviors.as_ref().and_then(Field::as_list).unwrap_or_default();
    behaviors.iter().any(|behavior| behavior.as_enum_number() == Some(REQUIRED))
}

/// Adds the field's rules to its schema.
pub(crate) fn add_rules(field: &FieldDescriptor, schema: &mut Value) {
    let annotation = option(field, RULES);
    if let Some(rules) = annotation.as_ref().and_then(Field::as_message) {
        add(rules, schema);
    }
}

/// Returns the value of a rule such as `lte` in its JSON form.
pub(crate) fn of_rule(field: &FieldDescriptor, name: &str) -> Option<Value> {
    let annotation = option(field, RULES)?;
    let rules = annotation.as_message()?;
    let (_, of_type) = rules.fields().find(|(field, _)| matches!(field.kind(), Kind::Message(_)))?;
    let (_, rule) = of_type.as_message()?.fields().find(|(rule, _)| rule.name() == name)?;
    number(rule).map_or_else(|| Some(json_of(rule)), |number| Some(number.into()))
}

fn option(field: &FieldDescriptor, extension: &str) -> Option<Field> {
    let extension = field.parent_message().parent_pool().get_extension_by_name(extension)?;
    let options = field.options();
    options.has_extension(&extension).then(|| options.get_extension(&extension).into_owned())
}

fn add(rules: &DynamicMessage, schema: &mut Value) {
    let of_type = rules.fields().find(|(field, _)| matches!(field.kind(), Kind::Message(_)));
    let Some(rules) = of_type.and_then(|(_, rules)| rules.as_message()) else { return };
    let rules_of_bytes = rules.descriptor().name() == "BytesRules";
    for (rule, value) in rules.fields() {
        match (rule.name(), number(value)) {
            // JSON Schema has no limits of a text that is a duration.
            ("gte", None) => schema["x-minimum"] = json_of(value),
            ("lte", None) => schema["x-maximum"] = json_of(value),
            ("gte", Some(number)) => schema["minimum"] = number.into(),
            ("lte", Some(number)) => schema["maximum"] = number.into(),
            ("min_len", Some(length)) => schema["minLength"] = length.into(),
            ("len", Some(bytes)) if rules_of_bytes => {
                // Padding may be left out.
                schema["minLength"] = (bytes * 4).div_ceil(3).into();
                schema["maxLength"] = base64_chars(bytes).into();
            }
            ("max_len", Some(bytes)) if rules_of_bytes => schema["maxLength"] = base64_chars(bytes).into(),
            ("max_len", Some(length)) => schema["maxLength"] = length.into(),
            ("min_items", Some(items)) => schema["minItems"] = items.into(),
            ("max_items", Some(items)) => schema["maxItems"] = items.into(),
            ("pattern", _) => schema["pattern"] = value.as_str().into(),
            ("uuid", _) => schema["format"] = json!("uuid"),
            // A character has at least one byte; JSON Schema can't say more.
            ("max_bytes", Some(bytes)) => schema["maxLength"] = bytes.into(),
            ("max_pairs", Some(pairs)) => schema["maxProperties"] = pairs.into(),
            ("items", _) => add_inner(value, &mut schema["items"]),
            ("keys", _) => add_inner(value, &mut schema["propertyNames"]),
            ("values", _) => add_inner(value, &mut schema["additionalProperties"]),
            _ => {}
        }
    }
}

/// Adds the rules of a collection's elements.
fn add_inner(rules: &Field, schema: &mut Value) {
    if let Some(rules) = rules.as_message() {
        add(rules, schema);
    }
}

fn number(value: &Field) -> Option<u64> {
    value.as_u64().or_else(|| value.as_u32().map(u64::from))
}

/// Returns the JSON form of a message.
fn json_of(value: &Field) -> Value {
    value.as_message().and_then(|message| serde_json::to_value(message).ok()).unwrap_or_default()
}

/// Returns the number of characters of `bytes` bytes in base64 with padding.
fn base64_chars(bytes: u64) -> u64 {
    bytes.div_ceil(3) * 4
}
