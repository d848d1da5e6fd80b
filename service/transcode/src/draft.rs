//! A request while it comes together: a JSON object in which every key is the JSON
//! name of a field, stands once, and respects oneofs. Values are decoded later.

use std::collections::BTreeSet;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor};
use serde_json::{Map, Value};

use crate::error::{FieldProblem, FieldViolation};
use crate::field_path::{FieldPath, Place, field_named};
use crate::value::{check, check_map_key, has_its_own_json, null_is_a_value};

/// Takes over what a client wrote as the JSON form of `message`.
pub(crate) fn object(
    message: &MessageDescriptor,
    object: Map<String, Value>,
    at: Place<'_>,
) -> Result<Map<String, Value>, FieldViolation> {
    let mut draft = Map::new();
    let mut seen = BTreeSet::new();
    for (key, value) in object {
        let here = Place::Key(&at, &key);
        let field = field_named(message, &key).ok_or_else(|| here.violation(FieldProblem::Unknown))?;
        // Not left to `put`, which sees neither nulls nor the other name of a field.
        if !seen.insert(field.number()) {
            return Err(here.violation(FieldProblem::Duplicate));
        }
        if value.is_null() && !null_is_a_value(&field) {
            continue;
        }
        let value = field_value(&field, value, here)?;
        put(&mut draft, &field, value).map_err(|problem| here.violation(problem))?;
    }
    Ok(draft)
}

/// Takes over the value of a field.
pub(crate) fn field_value(
    field: &FieldDescriptor,
    value: Value,
    at: Place<'_>,
) -> Result<Value, FieldViolation> {
    match value {
        Value::Array(items) if field.is_list() => {
            let items = items.into_iter().enumerate();
            let items = items.map(|(index, item)| single(&field.kind(), item, Place::Item(&at, index)));
            items.collect::<Result<_, _>>().map(Value::Array)
        }
        Value::Object(entries) if field.is_map() => map_entries(field, entries, at).map(Value::Object),
        // A wrong kind of JSON: the decoder says so.
        other if field.is_list() || field.is_map() => Ok(other),
        other => single(&field.kind(), other, at),
    }
}

/// Puts the value of a path variable or a query parameter where its path leads;
/// to a list it is added.
pub(crate) fn put_at(
    draft: &mut Map<String, Value>,
    path: &FieldPath,
    value: Value,
) -> Result<(), FieldProblem> {
    let (target, parents) = path.fields().split_last().expect("a path is never empty");
    let mut object = draft;
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

/// What stands where a path leads.
pub(crate) fn at<'d>(draft: &'d Map<String, Value>, path: &FieldPath) -> Option<&'d Value> {
    let (target, parents) = path.fields().split_last()?;
    let mut object = draft;
    for parent in parents {
        object = object.get(parent.json_name())?.as_object()?;
    }
    object.get(target.json_name())
}

/// Sets a field that is not set, nor excluded by another one that is.
pub(crate) fn put(
    draft: &mut Map<String, Value>,
    field: &FieldDescriptor,
    value: Value,
) -> Result<(), FieldProblem> {
    if draft.contains_key(field.json_name()) {
        return Err(FieldProblem::Duplicate);
    }
    let oneof = field.containing_oneof();
    let mut rivals = oneof.iter().flat_map(OneofDescriptor::fields);
    if let Some(rival) = rivals.find(|rival| draft.contains_key(rival.json_name())) {
        return Err(FieldProblem::Excluded { other: rival.json_name().to_owned() });
    }
    draft.insert(field.json_name().to_owned(), value);
    Ok(())
}

fn single(kind: &Kind, value: Value, at: Place<'_>) -> Result<Value, FieldViolation> {
    match (kind, value) {
        (Kind::Message(message), Value::Object(fields)) if !has_its_own_json(message) => {
            object(message, fields, at).map(Value::Object)
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
    at: Place<'_>,
) -> Result<Map<String, Value>, FieldViolation> {
    let entry = field.kind();
    let entry = entry.as_message().expect("a map is a list of entry messages");
    let (key_kind, value_kind) = (entry.map_entry_key_field().kind(), entry.map_entry_value_field().kind());
    let mut checked = Map::new();
    for (key, value) in entries {
        let here = Place::Key(&at, &key);
        check_map_key(&key_kind, &key).map_err(|problem| here.violation(problem))?;
        let value = single(&value_kind, value, here)?;
        checked.insert(key, value);
    }
    Ok(checked)
}
