//! Types of fields, and the entries of messages and enums.

use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value, json};

use super::text::{anchor, cell, prose};

/// Returns a link to an entry of this page.
pub(super) fn link(name: &str) -> String {
    format!("[{name}](#{})", anchor(name))
}

/// Returns whether a message or enum belongs to a game.
pub(super) fn is_of_a_game(name: &str) -> bool {
    proto_of(name).is_some()
}

/// Returns the proto file of a game's message or enum.
fn proto_of(name: &str) -> Option<String> {
    let messages: Vec<MessageDescriptor> = wire::DESCRIPTORS.all_messages().collect();
    let enums = wire::DESCRIPTORS.all_enums().map(|kind| (kind.full_name().to_owned(), kind.parent_file()));
    let named = messages.iter().map(|kind| (kind.full_name().to_owned(), kind.parent_file()));
    let mut all = named.chain(enums);
    let (_, file) = all.find(|(full, _)| {
        full.strip_prefix("matchbook.games.").is_some_and(|rest| {
            let (game, message) = rest.split_once(".v1.").unwrap_or((rest, ""));
            name == game.split('_').map(capitalized).collect::<String>() + &message.replace('.', "")
        })
    })?;
    Some(file.name().to_owned())
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

/// Returns a schema's type with its limits.
pub(super) fn type_of(schema: &Value) -> String {
    if let Some(target) = schema["$ref"].as_str() {
        let name = target.rsplit('/').next().unwrap();
        return proto_of(name).map_or_else(|| link(name), |file| format!("[{name}](../proto/{file})"));
    }
    match schema["type"].as_str() {
        Some("array") => {
            let limits = range(&schema["minItems"], &schema["maxItems"], " items");
            format!("list of {}{limits}", type_of(&schema["items"]))
        }
        Some("object") if schema["properties"].is_object() => {
            let names = schema["properties"].as_object().into_iter().flat_map(Map::keys);
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            format!("object with {}", names.join(", "))
        }
        Some("object") => {
            let limits = range(&Value::Null, &schema["maxProperties"], " entries");
            format!("map to {}{limits}", type_of(&schema["additionalProperties"]))
        }
        Some("integer") => {
            let most = if schema["maximum"] == u32::MAX { &Value::Null } else { &schema["maximum"] };
            let least =
                if most.is_null() && schema["minimum"] == 0 { &Value::Null } else { &schema["minimum"] };
            format!("integer{}", range(least, most, ""))
        }
        Some("string") => string(schema),
        Some(other) => other.to_owned(),
        None => "any".to_owned(),
    }
}

fn string(schema: &Value) -> String {
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    if pattern.contains("[0-9]{1,19}") || pattern.contains("[0-9]{1,20}") {
        return "64-bit integer as a string".to_owned();
    }
    if pattern.ends_with("s$") {
        return format!("duration{}", range(&schema["x-minimum"], &schema["x-maximum"], ""));
    }
    let form = [&schema["format"], &schema["contentEncoding"]].into_iter().find_map(Value::as_str);
    let name = match form {
        Some("uuid") => "UUID",
        Some("date-time") => "time",
        Some("base64") => "bytes in base64",
        _ => "string",
    };
    let limits = range(&schema["minLength"], &schema["maxLength"], " characters");
    let pattern = if pattern.is_empty() { String::new() } else { format!(", `{}`", cell(pattern)) };
    format!("{name}{limits}{pattern}")
}

fn range(least: &Value, most: &Value, unit: &str) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (least, most) {
        (Value::Null, Value::Null) => String::new(),
        (Value::Null, most) => format!(", at most {}{unit}", text(most)),
        (least, Value::Null) => format!(", at least {}{unit}", text(least)),
        (least, most) if least == most => format!(", {}{unit}", text(least)),
        (least, most) => format!(", {} to {}{unit}", text(least), text(most)),
    }
}

/// Returns the rows of a table, in the order of the proto: name, type and meaning of each field of the
/// message that a schema refers to. `place` says where a request has them, and that some are required.
pub(super) fn fields(document: &Value, reference: &Value, place: &str) -> String {
    let name = reference["$ref"].as_str().and_then(|target| target.rsplit('/').next()).unwrap_or_default();
    let schema = &document["components"]["schemas"][name];
    let message = wire::DESCRIPTORS.get_message_by_name(&format!("matchbook.v1.{name}"));
    let number = |field: &str| {
        let field = message.as_ref().and_then(|message| message.get_field_by_json_name(field));
        field.map(|field| field.path().to_vec())
    };
    let mut fields: Vec<(&String, &Value)> = schema["properties"].as_object().into_iter().flatten().collect();
    fields.sort_by_key(|(field, _)| number(field));
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let row_of = |(name, field): (&String, &Value)| {
        let mark = required.contains(&name.as_str().into()) && !place.is_empty();
        let place = format!("{place}{}", if mark { ", required" } else { "" });
        row(name, &place, field, field["description"].as_str())
    };
    fields.into_iter().map(row_of).collect()
}

/// Returns the row of one field.
pub(super) fn row(name: &str, place: &str, schema: &Value, meaning: Option<&str>) -> String {
    let place = if place.is_empty() { String::new() } else { format!(" {place} |") };
    format!("| `{name}` |{place} {} | {} |\n", type_of(schema), cell(meaning.unwrap_or_default()))
}

/// Returns the entry of a message or an enum.
pub(super) fn type_entry(document: &Value, name: &str) -> String {
    let schema = &document["components"]["schemas"][name];
    let mut text = format!("\n### {name}\n\n{}", prose(schema["description"].as_str().unwrap_or_default()));
    let rows = fields(document, &json!({"$ref": name}), "");
    if !rows.is_empty() {
        text += &format!("\n| field | type | meaning |\n|---|---|---|\n{rows}");
    }
    text
}
