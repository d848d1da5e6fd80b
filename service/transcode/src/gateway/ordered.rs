//! Messages whose maps print their keys in order. prost-reflect keeps maps without one, so the same message
//! would print differently each time, and have another entity tag.

use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, Value as Field};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// Returns whether a map in the message has more than one key.
pub(super) fn has_long_map(message: &DynamicMessage) -> bool {
    message.fields().any(|(_, field)| contains_long_map(field))
}

fn contains_long_map(field: &Field) -> bool {
    match field {
        Field::Map(map) => map.len() > 1 || map.values().any(contains_long_map),
        Field::List(list) => list.iter().any(contains_long_map),
        Field::Message(message) => has_long_map(message),
        _ => false,
    }
}

/// A message's JSON, printed with its fields as they are numbered and the keys of its maps in order.
pub(super) struct Ordered<'m> {
    pub(super) descriptor: &'m MessageDescriptor,
    /// The canonical JSON. `serde_json` sorts the keys of every object.
    pub(super) json: &'m Value,
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Google's own messages have forms of their own, such as a timestamp's text.
        let has_own_form = self.descriptor.package_name() == "google.protobuf";
        let Some(object) = self.json.as_object().filter(|_| !has_own_form) else {
            return self.json.serialize(serializer);
        };
        let mut fields = serializer.serialize_map(Some(object.len()))?;
        for field in self.descriptor.fields() {
            let Some(json) = object.get(field.json_name()) else { continue };
            match field.kind() {
                Kind::Message(descriptor) if !field.is_map() => {
                    fields.serialize_entry(field.json_name(), &OrderedField { descriptor, json })?;
                }
                _ => fields.serialize_entry(field.json_name(), json)?,
            }
        }
        fields.end()
    }
}

/// The JSON of a field with one message or many.
struct OrderedField<'m> {
    descriptor: MessageDescriptor,
    json: &'m Value,
}

impl Serialize for OrderedField<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ordered = |json| Ordered { descriptor: &self.descriptor, json };
        match self.json {
            Value::Array(list) => serializer.collect_seq(list.iter().map(ordered)),
            json => ordered(json).serialize(serializer),
        }
    }
}
