//! What a value must be, in words for people: the decoder's own errors name Rust's types.

use std::fmt::Display;

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use crate::field_path::field_named;
use crate::openapi::annotations::of_rule;
use crate::value::{has_special_json, unwrapped};

/// Maximum number of an enum's words, or a message's fields, to list.
const MAX_WORDS: usize = 24;

/// Maximum number of characters of a value to repeat.
const MAX_ECHO: usize = 40;

/// A place in a message's JSON form.
enum Place {
    /// A message.
    Message(MessageDescriptor),
    /// A field with all of its values.
    Field(FieldDescriptor),
    /// An item of a list, or a value of a map.
    Element(FieldDescriptor),
}

/// Returns the problem of the value at a path, which the decoder of `message` refused.
pub(crate) fn problem_at(message: &MessageDescriptor, root: &Value, path: &Path) -> String {
    let mut place = Place::Message(message.clone());
    let mut value = root;
    for segment in path {
        let Some((next, inner)) = enter(&place, value, segment) else { break };
        (place, value) = (next, inner);
    }
    match place {
        Place::Message(_) => "must be a JSON object".to_owned(),
        Place::Field(field) if field.is_list() => format!("must be a list, each {}", of_field(&field)),
        Place::Field(field) if field.is_map() => {
            format!("must be a JSON object, each value {}", of_field(&field))
        }
        Place::Field(field) | Place::Element(field) => {
            format!("must be {}{}", of_field(&field), echo(&element_kind(&field), value))
        }
    }
}

/// Returns the problem of a map's key, which must be an integer in the one form that ProtoJSON writes.
pub(crate) fn problem_of_key(kind: &Kind, key: &str) -> String {
    let echo = echo(kind, &key.into());
    format!("as a key it must be {} without leading zeros{echo}", of_kind(kind, None))
}

/// Returns the problem of a number that is out of its type's range, or not written as ProtoJSON writes it.
pub(crate) fn problem_of(kind: &Kind, value: &Value) -> String {
    format!("must be {}{}", of_kind(kind, None), echo(kind, value))
}

fn enter<'v>(place: &Place, value: &'v Value, segment: &Segment) -> Option<(Place, &'v Value)> {
    match (place, segment) {
        (Place::Message(message), Segment::Map { key }) => {
            Some((Place::Field(field_named(message, key)?), value.get(key)?))
        }
        (Place::Field(field), Segment::Map { key }) if field.is_map() => {
            Some((Place::Element(field.clone()), value.get(key)?))
        }
        (Place::Field(field), Segment::Seq { index }) if field.is_list() => {
            Some((Place::Element(field.clone()), value.get(*index)?))
        }
        (Place::Field(field) | Place::Element(field), Segment::Map { .. }) => match element_kind(field) {
            Kind::Message(message) if !has_special_json(&message) => {
                enter(&Place::Message(message), value, segment)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns the kind of a field's values.
fn element_kind(field: &FieldDescriptor) -> Kind {
    match field.kind() {
        Kind::Message(entry) if field.is_map() => entry.map_entry_value_field().kind(),
        kind => kind,
    }
}

/// Returns what each value of a field must be.
fn of_field(field: &FieldDescriptor) -> String {
    let rules_apply = !field.is_list() && !field.is_map();
    of_kind(&element_kind(field), rules_apply.then_some(field))
}

/// Returns what a value must be, within the limits that the field's annotations set.
fn of_kind(kind: &Kind, field: Option<&FieldDescriptor>) -> String {
    let range = |min: &dyn Display, max: &dyn Display| {
        let limit = |rule, default: &dyn Display| {
            field
                .and_then(|field| of_rule(field, rule))
                .map_or(default.to_string(), |limit| limit.to_string())
        };
        format!("an integer from {} to {}", limit("gte", min), limit("lte", max))
    };
    match unwrapped(kind) {
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => range(&i32::MIN, &i32::MAX),
        Kind::Uint32 | Kind::Fixed32 => range(&u32::MIN, &u32::MAX),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => range(&i64::MIN, &i64::MAX),
        Kind::Uint64 | Kind::Fixed64 => range(&u64::MIN, &u64::MAX),
        Kind::Float | Kind::Double => "a number".to_owned(),
        Kind::Bool => "true or false".to_owned(),
        Kind::String => "a string in double quotes".to_owned(),
        Kind::Bytes => "bytes in base64, such as \"AQID\"".to_owned(),
        Kind::Enum(words) => one_of(&words),
        Kind::Message(message) => of_message(&message, field),
    }
}

fn of_message(message: &MessageDescriptor, field: Option<&FieldDescriptor>) -> String {
    match message.full_name() {
        "google.protobuf.Timestamp" => "a time as in RFC 3339, such as \"2026-11-23T12:00:00Z\"".to_owned(),
        "google.protobuf.Duration" => of_duration(field),
        "google.protobuf.FieldMask" => {
            "names of fields in JSON spelling, with commas between them".to_owned()
        }
        "google.protobuf.ListValue" => "a list".to_owned(),
        "google.protobuf.Any" => "an object with `@type`".to_owned(),
        _ => object_with(message),
    }
}

fn object_with(message: &MessageDescriptor) -> String {
    let names: Vec<String> = message.fields().map(|field| field.json_name().to_owned()).collect();
    match names.as_slice() {
        _ if has_special_json(message) => "a JSON object".to_owned(),
        [] => "an empty JSON object".to_owned(),
        [only] => format!("a JSON object with the field {only}"),
        many => format!("a JSON object with the fields {}", listed(many)),
    }
}

fn of_duration(field: Option<&FieldDescriptor>) -> String {
    let limit = |rule| field.and_then(|field| of_rule(field, rule));
    let mut text = "a duration in seconds with the unit, such as \"2.5s\"".to_owned();
    for (word, rule) in [("at least", "gte"), ("at most", "lte")] {
        if let Some(limit) = limit(rule) {
            text.push_str(&format!(", {word} {limit}"));
        }
    }
    text
}

/// Lists the words of an enum, without the one that means that there is none.
fn one_of(words: &EnumDescriptor) -> String {
    let names: Vec<String> =
        words.values().filter(|word| word.number() != 0).map(|word| word.name().to_owned()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) if names.len() <= MAX_WORDS => format!("{} or {last}", before.join(", ")),
        Some(_) => format!("one of {}", listed(&names)),
        None => "null".to_owned(),
    }
}

fn listed(names: &[String]) -> String {
    let more = if names.len() > MAX_WORDS { ", ..." } else { "" };
    names[..names.len().min(MAX_WORDS)].join(", ") + more
}

/// Repeats a short value, unless its kind may hold a secret.
fn echo(kind: &Kind, value: &Value) -> String {
    match (unwrapped(kind), value) {
        (Kind::String | Kind::Bytes | Kind::Message(_), Value::String(_) | Value::Number(_))
            if !is_time(kind) =>
        {
            String::new()
        }
        (_, Value::String(text)) if text.chars().count() <= MAX_ECHO => format!("; `{text}` is not"),
        (_, Value::Number(number)) => format!("; `{number}` is not"),
        (_, Value::Bool(value)) => format!("; `{value}` is not"),
        _ => String::new(),
    }
}

fn is_time(kind: &Kind) -> bool {
    let Kind::Message(message) = kind else { return false };
    ["google.protobuf.Timestamp", "google.protobuf.Duration"].contains(&message.full_name())
}
