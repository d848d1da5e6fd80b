//! Messages and enums as JSON schemas of their canonical ProtoJSON. A message that is both sent and answered has
//! two: answers show every field, requests may leave out all.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::comments::Comments;
use crate::routes::{Body, Routes};
use crate::value::has_its_own_json;

/// In which direction a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Request,
    Answer,
}

/// All messages that routes lead to.
pub(crate) struct Schemas<'c> {
    comments: &'c Comments,
    messages: BTreeMap<(String, Side), MessageDescriptor>,
    enums: BTreeMap<String, EnumDescriptor>,
    /// Fields that the path fills, by the request's full name: they need not stand in its body.
    in_path: BTreeMap<String, BTreeSet<String>>,
}

impl<'c> Schemas<'c> {
    pub(crate) fn of(routes: &Routes, comments: &'c Comments) -> Self {
        let (messages, enums, in_path) = Default::default();
        let mut schemas = Self { comments, messages, enums, in_path };
        for route in routes.iter() {
            let (request, answer) = (route.rpc().input(), route.rpc().output());
            let filled = route.variables().iter().map(ToString::to_string);
            match route.body() {
                Body::Whole => {
                    schemas.in_path.insert(request.full_name().to_owned(), filled.collect());
                    schemas.reach(&request, Side::Request);
                }
                Body::Field(field) => schemas.reach_field(field, Side::Request),
                Body::None => {}
            }
            // What stands in a query are scalars and enums.
            for field in request.fields() {
                if let Kind::Enum(kind) = field.kind() {
                    schemas.enums.insert(kind.full_name().to_owned(), kind);
                }
            }
            schemas.reach(&answer, Side::Answer);
        }
        schemas
    }

    fn reach(&mut self, message: &MessageDescriptor, side: Side) {
        if has_its_own_json(message)
            || self.messages.insert((message.full_name().to_owned(), side), message.clone()).is_some()
        {
            return;
        }
        for field in message.fields() {
            self.reach_field(&field, side);
        }
    }

    fn reach_field(&mut self, field: &FieldDescriptor, side: Side) {
        match field.kind() {
            Kind::Message(entry) if field.is_map() => self.reach_field(&entry.map_entry_value_field(), side),
            Kind::Message(message) => self.reach(&message, side),
            Kind::Enum(kind) => _ = self.enums.insert(kind.full_name().to_owned(), kind),
            _ => {}
        }
    }

    /// Every schema by its name.
    pub(crate) fn components(&self) -> Map<String, Value> {
        let messages = self
            .messages
            .iter()
            .map(|((_, side), message)| (self.name(message, *side), self.message(message, *side)));
        let enums = self.enums.values().map(|kind| (kind.full_name().to_owned(), self.of_enum(kind)));
        messages.chain(enums).collect()
    }

    fn name(&self, message: &MessageDescriptor, side: Side) -> String {
        let name = message.full_name();
        let twofold = self.messages.contains_key(&(name.to_owned(), Side::Answer));
        if side == Side::Request && twofold { format!("{name}.Input") } else { name.to_owned() }
    }

    fn of_enum(&self, kind: &EnumDescriptor) -> Value {
        let names: Vec<String> = kind.values().map(|value| value.name().to_owned()).collect();
        json!({"type": "string", "enum": names, "description": self.comments.of_enum(kind)})
    }

    fn message(&self, message: &MessageDescriptor, side: Side) -> Value {
        let in_path = self.in_path.get(message.full_name()).filter(|_| side == Side::Request);
        let in_path =
            |field: &FieldDescriptor| in_path.is_some_and(|names| names.contains(field.json_name()));
        let fields: Vec<FieldDescriptor> = message.fields().filter(|field| !in_path(field)).collect();
        let properties: Map<String, Value> =
            fields.iter().map(|field| (field.json_name().to_owned(), self.field(field, side))).collect();
        let mut schema = json!({
            "type": "object",
            "description": self.comments.of_message(message),
            "properties": properties,
            "additionalProperties": false,
        });
        let shown = fields.iter().filter(|field| side == Side::Answer && !field.supports_presence());
        let shown: Vec<&str> = shown.map(FieldDescriptor::json_name).collect();
        if !shown.is_empty() {
            schema["required"] = json!(shown);
        }
        let choices: Vec<Value> = message
            .oneofs()
            .filter(|oneof| !oneof.is_synthetic())
            .map(|oneof| {
                let fields = oneof.fields().map(|field| json!({"required": [field.json_name()]}));
                at_most_one(fields.collect())
            })
            .collect();
        match <[Value; 1]>::try_from(choices) {
            Ok([choice]) => schema["oneOf"] = choice,
            Err(choices) if !choices.is_empty() => {
                schema["allOf"] = choices.into_iter().map(|choice| json!({"oneOf": choice})).collect();
            }
            Err(_none) => {}
        }
        schema
    }

    /// A field with its comment.
    pub(crate) fn field(&self, field: &FieldDescriptor, side: Side) -> Value {
        let mut schema = if field.is_map() {
            let entry = field.kind();
            let value = entry.as_message().expect("a map is a list of entries").map_entry_value_field();
            json!({"type": "object", "additionalProperties": self.single(&value.kind(), side)})
        } else if field.is_list() {
            json!({"type": "array", "items": self.single(&field.kind(), side)})
        } else {
            self.single(&field.kind(), side)
        };
        let comment = self.comments.of_field(field);
        if !comment.is_empty() {
            schema["description"] = comment.into();
        }
        schema
    }

    /// A reference to a message's schema, or the whole of a short one.
    pub(crate) fn of_message(&self, message: &MessageDescriptor, side: Side) -> Value {
        self.single(&Kind::Message(message.clone()), side)
    }

    fn single(&self, kind: &Kind, side: Side) -> Value {
        match kind {
            Kind::Message(message) if has_its_own_json(message) => well_known(message),
            Kind::Message(message) => reference(&self.name(message, side)),
            Kind::Enum(kind) => reference(kind.full_name()),
            scalar => of_scalar(scalar),
        }
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn at_most_one(mut each: Vec<Value>) -> Value {
    each.push(json!({"not": {"anyOf": each.clone()}}));
    each.into()
}

fn of_scalar(kind: &Kind) -> Value {
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

fn well_known(message: &MessageDescriptor) -> Value {
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
        // A wrapper is its value.
        _ => message.get_field_by_name("value").map_or(json!({}), |value| of_scalar(&value.kind())),
    }
}
