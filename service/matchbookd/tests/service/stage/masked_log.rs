//! Lines of exported logs, signed heads and frames of the feed, with everything masked that differs between
//! any two matches: ids, times, hashes, commitments, salts, signatures, cursors. Their lengths and all other
//! content remain.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost_reflect::{DynamicMessage, Value as Field};
use serde_json::{Map, Value, json};
use wire::log::v1::EventKind;

const DIGEST_BYTES: usize = 32;
const SALT_BYTES: usize = 32;

/// Masks a line, a response or a frame about this match.
pub(crate) fn line(value: &Value, match_id: &str) -> Value {
    match value {
        Value::Object(fields) => {
            let masked =
                fields.iter().map(|(name, value)| (name.clone(), field(fields, name, value, match_id)));
            Value::Object(masked.collect())
        }
        Value::Array(values) => values.iter().map(|value| line(value, match_id)).collect(),
        other => other.clone(),
    }
}

fn field(beside: &Map<String, Value>, name: &str, value: &Value, match_id: &str) -> Value {
    let Value::String(text) = value else { return line(value, match_id) };
    match name {
        "matchId" => json!(text.replace(match_id, "the match")),
        "recordTimeUs" | "cursor" => json!(format!("{} characters", text.len())),
        "hash" | "commitment" => {
            assert_eq!(
                bytes(text).len(),
                DIGEST_BYTES,
                "the length of a digest must not depend on its content"
            );
            json!("a digest")
        }
        "opened" => json!(unsalted(&bytes(text))),
        "publicPart" => public(beside["kind"].as_u64().unwrap(), &bytes(text)),
        "note" => json!(note(text, match_id)),
        _ => value.clone(),
    }
}

fn bytes(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

/// Describes a sealed value without its salt.
fn unsalted(sealed: &[u8]) -> String {
    format!("a salt, then {:?}", &sealed[SALT_BYTES..])
}

/// Decodes the public part of an event and masks it.
fn public(kind: u64, bytes: &[u8]) -> Value {
    let kind = EventKind::try_from(i32::try_from(kind).unwrap()).unwrap();
    let words = kind.as_str_name().trim_start_matches("EVENT_KIND_").split('_');
    let name: String = words.map(|word| word[..1].to_owned() + &word[1..].to_lowercase()).collect();
    let message = wire::DESCRIPTORS.get_message_by_name(&format!("matchbook.log.v1.{name}")).unwrap();
    let mut message = DynamicMessage::decode(message, bytes).unwrap();
    let names: Vec<String> = message.fields().map(|(field, _)| field.name().to_owned()).collect();
    for name in names {
        let secret = message.get_field_by_name(&name).unwrap().into_owned();
        if name == "choices" {
            message.set_field_by_name(&name, unsalted_choices(&secret));
        }
        let Field::Bytes(secret) = secret else { continue };
        let masked = match name.as_str() {
            // These bytes are random from the first to the last.
            "state_digest" | "opened_seed" => vec![0; secret.len()],
            _ => continue,
        };
        message.set_field_by_name(&name, Field::Bytes(masked.into()));
    }
    json!(format!("{message:?}"))
}

/// Returns the opened choices of a turn with zeros for salts.
fn unsalted_choices(choices: &Field) -> Field {
    let masked = choices.as_list().unwrap().iter().map(|choice| {
        let mut choice = choice.as_message().unwrap().clone();
        let opened = choice.get_field_by_name("opened").unwrap().as_bytes().unwrap().clone();
        let opened = [&[0; SALT_BYTES], &opened[SALT_BYTES..]].concat();
        choice.set_field_by_name("opened", Field::Bytes(opened.into()));
        Field::Message(choice)
    });
    Field::List(masked.collect())
}

/// Masks a signed note: the match id, and the hash and the signature except for their lengths.
fn note(text: &str, match_id: &str) -> String {
    let masked = text.lines().map(|line| match line.split_once(' ') {
        Some(("hash", hash)) => format!("hash of {}", hash.len()),
        Some(("match", id)) => format!("match {}", id.replace(match_id, "the match")),
        Some(("\u{2014}", signed)) => format!("signature of {}", signed.len()),
        _ => line.to_owned(),
    });
    masked.collect::<Vec<_>>().join("\n")
}
