//! Responses with everything masked that differs between any two matches: ids, times, hashes and salted
//! values. The mask walks the protocol's descriptors, so that new fields are compared without a change here.

use std::collections::BTreeMap;

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, ReflectMessage, Value};
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// A response as a viewer sees it, comparable between two matches.
#[derive(Debug, PartialEq)]
pub(crate) enum Seen {
    /// A successful response and its size on the wire, in bytes.
    Answer { message: String, size: usize },
    /// A refusal with its details.
    Refusal { code: Code, message: String, reason: String, metadata: BTreeMap<String, String> },
}

/// Masks a response about this match; `type_name` is relative to `matchbook.v1`.
pub(crate) fn answer<M: Message>(type_name: &str, message: &M, match_id: &str) -> Seen {
    let kind = wire::DESCRIPTORS.get_message_by_name(&format!("matchbook.v1.{type_name}")).unwrap();
    let bytes = message.encode_to_vec();
    let mut seen = DynamicMessage::decode(kind, bytes.as_slice()).unwrap();
    mask_message(&mut seen, match_id);
    Seen::Answer { message: format!("{seen:?}"), size: seen.encoded_len() }
}

/// Returns a refusal with its details, which must not disclose secrets either.
pub(crate) fn refusal(status: &Status) -> Seen {
    let details = status.get_error_details();
    let (reason, metadata) = match details.error_info() {
        Some(info) => (info.reason.clone(), info.metadata.clone().into_iter().collect()),
        None => Default::default(),
    };
    Seen::Refusal { code: status.code(), message: status.message().to_owned(), reason, metadata }
}

/// Fields with hashes and commitments.
const HASHES: [&str; 6] = ["hash", "head_hash", "after_hash", "seed_commitment", "commitment", "parent_hash"];

fn mask_message(message: &mut DynamicMessage, match_id: &str) {
    let kind = message.descriptor();
    match kind.full_name() {
        // Timestamps have a fixed form and depend on the current time only.
        "google.protobuf.Timestamp" => message.clear(),
        _ => {
            let fields: Vec<FieldDescriptor> = message.fields().map(|(field, _)| field).collect();
            for field in fields {
                let mut value = message.get_field(&field).into_owned();
                match &mut value {
                    Value::Bytes(bytes) if HASHES.contains(&field.name()) => {
                        assert_eq!(bytes.len(), 32, "the length of a hash must not depend on its content");
                        *bytes = vec![0; 32].into();
                    }
                    value => mask_value(value, match_id),
                }
                message.set_field(&field, value);
            }
        }
    }
}

fn mask_value(value: &mut Value, match_id: &str) {
    match value {
        Value::Message(message) => mask_message(message, match_id),
        Value::List(values) => values.iter_mut().for_each(|value| mask_value(value, match_id)),
        Value::String(text) if text == match_id => *text = "the match".to_owned(),
        _ => {}
    }
}
