//! Parses JSON, rejecting duplicate keys, and decodes it into messages. Errors name the location.

use std::fmt;

use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use serde_path_to_error::Track;

use crate::error::RequestError;
use crate::expected::problem_at;
use crate::field_violation::{FieldProblem, FieldViolation};

/// Parses a text as one JSON value. Duplicate keys in an object are an error.
pub(crate) fn parse(text: &[u8]) -> Result<Value, RequestError> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let mut track = Track::new();
    let parsed = Strict::deserialize(serde_path_to_error::Deserializer::new(&mut json, &mut track));
    match parsed {
        Ok(Strict(value)) => {
            json.end().map_err(|error| not_json(&error))?;
            Ok(value)
        }
        // Only `StrictVisitor` raises data errors, for duplicate keys.
        Err(error) if error.is_data() => {
            Err(FieldViolation::new(track.path().to_string(), FieldProblem::Duplicate).into())
        }
        Err(error) => Err(not_json(&error)),
    }
}

/// Decodes canonical ProtoJSON into a message.
pub(crate) fn decode(
    message: MessageDescriptor,
    fields: Map<String, Value>,
) -> Result<DynamicMessage, RequestError> {
    let root = Value::Object(fields);
    let mut track = Track::new();
    let json = serde_path_to_error::Deserializer::new(&root, &mut track);
    DynamicMessage::deserialize(message.clone(), json).map_err(|_| {
        let path = track.path();
        let problem = FieldProblem::Invalid(problem_at(&message, &root, &path));
        FieldViolation::new(path.to_string(), problem).into()
    })
}

fn not_json(error: &serde_json::Error) -> RequestError {
    RequestError::NotJson { problem: error.to_string() }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                // Fail in the value, so that the error's path ends with the key.
                return entries.next_value_seed(Duplicate);
            }
            let Strict(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

struct Duplicate;

impl<'de> DeserializeSeed<'de> for Duplicate {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<Value, D::Error> {
        Err(D::Error::custom("duplicate key"))
    }
}
