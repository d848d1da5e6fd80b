//! The fields of a request under construction: a JSON object whose keys are JSON names of fields, at most one
//! per oneof. Values are decoded later.

use std::collections::BTreeSet;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor};
use serde_json::{Map, Value};

use crate::field_path::{FieldPath, JsonLocation, field_named};
use crate::field_violation::{FieldProblem, FieldViolation};
use crate::value::{check, check_map_key, has_special_json, is_null_a_value};

/// Checks what a client sent as the JSON form of `message` and returns it with JSON names as keys.
pub(crate) fn from_object(
    message: &MessageDescriptor,
    object: Map<String, Value>,
    at: JsonLocation<'_>,
) -> Result<Map<String, Value>, FieldViolation> {
    let mut fields = Map::new();
    let mut seen = BTreeSet::new();
    for (key, value) in object {
        let here = JsonLocation::Key(&at, &key);
        let field =
            field_named(message, &key).ok_or_else(|| here.violation(FieldProblem::unknown(message)))?;
        // `put` cannot check this: it sees neither nulls nor the name that a client used.
        if !seen.insert(field.number()) {
            return Err(here.violation(FieldProblem::Duplicate));
        }
        if value.is_null() && !is_null_a_value(&field) {
            continue;
        }
        let value = field_value(&field, value, here)?;
        put(&mut fields, &field, value).map_err(|problem| here.violation(problem))?;
    }
    Ok(fields)
}

/// Checks what a client sent as the value of a field.
pub(crate) fn field_value(
    field: &FieldDescriptor,
    value: Value,
    at: JsonLocation<'_>,
) -> Result<Value, FieldViolation> {
    match value {
        Value::Array(items) if field.is_list() => {
            let items = items.into_iter().enumerate();
            let items =
                items.map(|(index, item)| single(&field.kind(), item, JsonLocation::Item(&at, index)));
            items.collect::<Result<_, _>>().map(Value::Array)
        }
        Value::Object(entries) if field.is_map() => map_entries(field, entries, at).map(Value::Object),
        // The decoder rejects the wrong kind of JSON.
        other if field.is_list() || field.is_map() => Ok(other),
        other => single(&field.kind(), other, at),
    }
}

/// Sets the field at a path to the value of a path variable or a query parameter; appends it to a list.
pub(crate) fn put_at(
    fields: &mut Map<String, Value>,
    path: &FieldPath,
    value: Value,
) -> Result<(), FieldProblem> {
    let (target, parents) = path.fields().split_last().expect("a field path is never empty");
    let mut object = fields;
    for parent in parents {
        if !object.contains_key(parent.json_name()) {
            put(object, parent, Value::Object(Map::new()))?;
        }
        object = match object.get_mut(parent.json_name()) {
            Some(Value::Object(child)) => child,
            _ => return Err(FieldProblem::Invalid(format!("`{}` is not an object", parent.json_name()))),
        };
    }
    if !target.is_list() {
        return put(object, target, value);
    }
    match object.get_mut(target.json_name()) {
        Some(Value::Array(items)) => items.push(value),
        _ => put(object, target, Value::Array(vec![value]))?,
    }
    Ok(())
}

/// Returns the value at a path.
pub(crate) fn get_at<'f>(fields: &'f Map<String, Value>, path: &FieldPath) -> Option<&'f Value> {
    let (target, parents) = path.fields().split_last()?;
    let mut object = fields;
    for parent in parents {
        object = object.get(parent.json_name())?.as_object()?;
    }
    object.get(target.json_name())
}

/// Sets a field, unless it or another field of its oneof is already set.
pub(crate) fn put(
    fields: &mut Map<String, Value>,
    field: &FieldDescriptor,
    value: Value,
) -> Result<(), FieldProblem> {
    if fields.contains_key(field.json_name()) {
        return Err(FieldProblem::Duplicate);
    }
    let oneof = field.containing_oneof();
    let mut siblings = oneof.iter().flat_map(OneofDescriptor::fields);
    if let Some(sibling) = siblings.find(|sibling| fields.contains_key(sibling.json_name())) {
        return Err(FieldProblem::OneofConflict { other: sibling.json_name().to_owned() });
    }
    fields.insert(field.json_name().to_owned(), value);
    Ok(())
}

fn single(kind: &Kind, value: Value, at: JsonLocation<'_>) -> Result<Value, FieldViolation> {
    match (kind, value) {
        (Kind::Message(message), Value::Object(inner)) if !has_special_json(message) => {
            from_object(message, inner, at).map(Value::Object)
        }
        (kind, value) => {
            check(kind, &value).map_err(|problem| at.violation(problem))?;
            Ok(value)
        }
    }
}

fn map_entries(
    field: &FieldDescriptor,
    entries: Map<String, Value>,
    at: JsonLocation<'_>,
) -> Result<Map<String, Value>, FieldViolation> {
    let entry = field.kind();
    let entry = entry.as_message().expect("a map field is a list of entry messages");
    let (key_kind, value_kind) = (entry.map_entry_key_field().kind(), entry.map_entry_value_field().kind());
    let mut checked = Map::new();
    for (key, value) in entries {
        let here = JsonLocation::Key(&at, &key);
        check_map_key(&key_kind, &key).map_err(|problem| here.violation(problem))?;
        let value = single(&value_kind, value, here)?;
        checked.insert(key, value);
    }
    Ok(checked)
}
