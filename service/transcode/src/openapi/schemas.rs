//! JSON schemas of messages and enums in canonical ProtoJSON. A message in both requests and responses has
//! two schemas: responses contain all fields, while requests may omit any.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::comments::Comments;
use crate::routes::{Body, Routes};
use crate::value::has_special_json;

/// What a schema describes: what callers send, or what the service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SchemaRole {
    Request,
    Response,
}

/// The schemas of all messages and enums that routes use.
pub(crate) struct Schemas<'c> {
    comments: &'c Comments,
    messages: BTreeMap<(String, SchemaRole), MessageDescriptor>,
    enums: BTreeMap<String, EnumDescriptor>,
    /// Fields that the path sets, by the request's full name; the body schema omits them.
    in_path: BTreeMap<String, BTreeSet<String>>,
}

impl<'c> Schemas<'c> {
    pub(crate) fn of(routes: &Routes, comments: &'c Comments) -> Self {
        let (messages, enums, in_path) = Default::default();
        let mut schemas = Self { comments, messages, enums, in_path };
        for route in routes.iter() {
            let (request, response) = (route.rpc().input(), route.rpc().output());
            let filled = route.variables().iter().map(ToString::to_string);
            match route.body() {
                Body::Whole => {
                    schemas.in_path.insert(request.full_name().to_owned(), filled.collect());
                    schemas.reach(&request, SchemaRole::Request);
                }
                Body::Field(field) => schemas.reach_field(field, SchemaRole::Request),
                Body::None => {}
            }
            // Query parameters are scalars and enums.
            for field in request.fields() {
                if let Kind::Enum(kind) = field.kind() {
                    schemas.enums.insert(kind.full_name().to_owned(), kind);
                }
            }
            schemas.reach(&response, SchemaRole::Response);
        }
        schemas
    }

    fn reach(&mut self, message: &MessageDescriptor, role: SchemaRole) {
        if has_special_json(message)
            || self.messages.insert((message.full_name().to_owned(), role), message.clone()).is_some()
        {
            return;
        }
        for field in message.fields() {
            self.reach_field(&field, role);
        }
    }

    fn reach_field(&mut self, field: &FieldDescriptor, role: SchemaRole) {
        match field.kind() {
            Kind::Message(entry) if field.is_map() => {
                self.reach_field(&entry.map_entry_value_field(), role);
            }
            Kind::Message(message) => self.reach(&message, role),
            Kind::Enum(kind) => _ = self.enums.insert(kind.full_name().to_owned(), kind),
            _ => {}
        }
    }

    /// Returns all schemas by name.
    pub(crate) fn components(&self) -> Map<String, Value> {
        let messages = self
            .messages
            .iter()
            .map(|((_, role), message)| (self.name(message, *role), self.message(message, *role)));
        let enums = self.enums.values().map(|kind| (kind.full_name().to_owned(), self.of_enum(kind)));
        messages.chain(enums).collect()
    }

    fn name(&self, message: &MessageDescriptor, role: SchemaRole) -> String {
        let name = message.full_name();
        let has_both = self.messages.contains_key(&(name.to_owned(), SchemaRole::Response));
        if role == SchemaRole::Request && has_both { format!("{name}.Input") } else { name.to_owned() }
    }

    fn of_enum(&self, kind: &EnumDescriptor) -> Value {
        let names: Vec<String> = kind.values().map(|value| value.name().to_owned()).collect();
        json!({"type": "string", "enum": names, "description": self.comments.of_enum(kind)})
    }

    fn message(&self, message: &MessageDescriptor, role: SchemaRole) -> Value {
        let in_path = self.in_path.get(message.full_name()).filter(|_| role == SchemaRole::Request);
        let in_path =
            |field: &FieldDescriptor| in_path.is_some_and(|names| names.contains(field.json_name()));
        let fields: Vec<FieldDescriptor> = message.fields().filter(|field| !in_path(field)).collect();
        let properties: Map<String, Value> =
            fields.iter().map(|field| (field.json_name().to_owned(), self.field(field, role))).collect();
        let mut schema = json!({
            "type": "object",
            "description": self.comments.of_message(message),
            "properties": properties,
            "additionalProperties": false,
        });
        let shown = fields.iter().filter(|field| role == SchemaRole::Response && !field.supports_presence());
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

    /// Returns the schema of a field, with its comment.
    pub(crate) fn field(&self, field: &FieldDescriptor, role: SchemaRole) -> Value {
        let mut schema = if field.is_map() {
            let entry = field.kind();
            let value =
                entry.as_message().expect("a map field is a list of entry messages").map_entry_value_field();
            json!({"type": "object", "additionalProperties": self.single(&value.kind(), role)})
        } else if field.is_list() {
            json!({"type": "array", "items": self.single(&field.kind(), role)})
        } else {
            self.single(&field.kind(), role)
        };
        let comment = self.comments.of_field(field);
        if !comment.is_empty() {
            schema["description"] = comment.into();
        }
        schema
    }

    /// Returns a reference to a message's schema, or the schema itself for well-known types.
    pub(crate) fn of_message(&self, message: &MessageDescriptor, role: SchemaRole) -> Value {
        self.single(&Kind::Message(message.clone()), role)
    }

    fn single(&self, kind: &Kind, role: SchemaRole) -> Value {
        match kind {
            Kind::Message(message) if has_special_json(message) => well_known(message),
            Kind::Message(message) => reference(&self.name(message, role)),
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
        // The JSON form of a wrapper is its value.
        _ => message.get_field_by_name("value").map_or(json!({}), |value| of_scalar(&value.kind())),
    }
}
