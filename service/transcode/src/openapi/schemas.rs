//! JSON schemas of messages and enums in canonical ProtoJSON. A message has one schema, also if both requests
//! and responses contain it. Only messages of requests alone are closed: responses may gain fields.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::annotations;
use super::comments::Comments;
use super::names::SchemaNames;
use super::values::{of_scalar, well_known};
use crate::routes::{Body, Routes};
use crate::value::has_special_json;

/// What contains a message: what callers send, or what the service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SchemaRole {
    Request,
    Response,
}

/// The schemas of all messages and enums that routes use.
pub(crate) struct Schemas<'c> {
    comments: &'c Comments,
    names: SchemaNames,
    reached: Reached,
    /// Fields that the path sets, by the request's full name; the body schema omits them.
    in_path: BTreeMap<String, BTreeSet<String>>,
}

/// The messages and enums that routes use, by full name.
#[derive(Default)]
struct Reached {
    messages: BTreeMap<String, (MessageDescriptor, BTreeSet<SchemaRole>)>,
    enums: BTreeMap<String, EnumDescriptor>,
}

impl<'c> Schemas<'c> {
    pub(crate) fn of(routes: &Routes, comments: &'c Comments) -> Self {
        let mut reached = Reached::default();
        let mut in_path = BTreeMap::new();
        for route in routes.iter() {
            let request = route.rpc().input();
            let filled = route.variables().iter().map(ToString::to_string);
            match route.body() {
                Body::Whole => {
                    in_path.insert(request.full_name().to_owned(), filled.collect());
                    reached.message(&request, SchemaRole::Request);
                }
                Body::Field(field) => reached.field(field, SchemaRole::Request),
                Body::None => {}
            }
            if *route.body() != Body::Whole {
                reached.parameters(&request, &mut BTreeSet::new());
            }
            reached.message(&route.rpc().output(), SchemaRole::Response);
        }
        let packages = routes.iter().map(|route| route.rpc().parent_service().package_name().to_owned());
        let names = SchemaNames::of(&reached.all(), &packages.collect());
        Self { comments, names, reached, in_path }
    }

    /// Returns all schemas by name.
    pub(crate) fn components(&self) -> Map<String, Value> {
        let messages =
            self.reached.messages.iter().map(|(name, (message, roles))| {
                (self.names.get(name).to_owned(), self.message(message, roles))
            });
        let enums = self.reached.enums.iter();
        let enums = enums.map(|(name, kind)| (self.names.get(name).to_owned(), self.of_enum(kind)));
        messages.chain(enums).collect()
    }

    fn of_enum(&self, kind: &EnumDescriptor) -> Value {
        let names: Vec<String> = kind.values().map(|value| value.name().to_owned()).collect();
        json!({"type": "string", "enum": names, "description": self.comments.of_enum(kind)})
    }

    fn message(&self, message: &MessageDescriptor, roles: &BTreeSet<SchemaRole>) -> Value {
        let sent = roles.contains(&SchemaRole::Request);
        let in_path = self.in_path.get(message.full_name()).filter(|_| sent);
        let in_path =
            |field: &FieldDescriptor| in_path.is_some_and(|names| names.contains(field.json_name()));
        let (left_out, fields): (Vec<FieldDescriptor>, Vec<_>) = message.fields().partition(in_path);
        let properties: Map<String, Value> =
            fields.iter().map(|field| (field.json_name().to_owned(), self.field(field))).collect();
        let mut schema = json!({
            "type": "object",
            "description": self.comments.of_message(message) + &oneofs(message) + &set_by_path(&left_out),
            "properties": properties,
        });
        let is_required =
            |field: &&FieldDescriptor| annotations::is_required(field) || (!sent && is_always_shown(field));
        let required: Vec<&str> = fields.iter().filter(is_required).map(FieldDescriptor::json_name).collect();
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        if !roles.contains(&SchemaRole::Response) {
            schema["additionalProperties"] = false.into();
        }
        schema
    }

    /// Returns the schema of a field, with its rules and its comment.
    pub(crate) fn field(&self, field: &FieldDescriptor) -> Value {
        let mut schema = if field.is_map() {
            let entry = field.kind();
            let value =
                entry.as_message().expect("a map field is a list of entry messages").map_entry_value_field();
            json!({"type": "object", "additionalProperties": self.single(&value.kind())})
        } else if field.is_list() {
            json!({"type": "array", "items": self.single(&field.kind())})
        } else {
            self.single(&field.kind())
        };
        annotations::add_rules(field, &mut schema);
        let comment = self.comments.of_field(field);
        if !comment.is_empty() {
            schema["description"] = comment.into();
        }
        schema
    }

    /// Returns a reference to a message's schema, or the schema itself for well-known types.
    pub(crate) fn of_message(&self, message: &MessageDescriptor) -> Value {
        self.single(&Kind::Message(message.clone()))
    }

    fn single(&self, kind: &Kind) -> Value {
        match kind {
            Kind::Message(message) if has_special_json(message) => well_known(message),
            Kind::Message(message) => self.reference(message.full_name()),
            Kind::Enum(kind) => self.reference(kind.full_name()),
            scalar => of_scalar(scalar),
        }
    }

    fn reference(&self, full_name: &str) -> Value {
        json!({"$ref": format!("#/components/schemas/{}", self.names.get(full_name))})
    }
}

impl Reached {
    fn message(&mut self, message: &MessageDescriptor, role: SchemaRole) {
        if has_special_json(message) {
            return;
        }
        let reached = self.messages.entry(message.full_name().to_owned());
        let (_, roles) = reached.or_insert_with(|| (message.clone(), BTreeSet::new()));
        if !roles.insert(role) {
            return;
        }
        for field in message.fields() {
            self.field(&field, role);
        }
    }

    fn field(&mut self, field: &FieldDescriptor, role: SchemaRole) {
        match field.kind() {
            Kind::Message(entry) if field.is_map() => self.field(&entry.map_entry_value_field(), role),
            Kind::Message(message) => self.message(&message, role),
            Kind::Enum(kind) => _ = self.enums.insert(kind.full_name().to_owned(), kind),
            _ => {}
        }
    }

    /// Adds the enums of query parameters, which are the scalars of a request and of its messages.
    fn parameters(&mut self, message: &MessageDescriptor, seen: &mut BTreeSet<String>) {
        if !seen.insert(message.full_name().to_owned()) {
            return;
        }
        for field in message.fields() {
            match field.kind() {
                Kind::Message(inner) if !has_special_json(&inner) => self.parameters(&inner, seen),
                Kind::Enum(kind) => _ = self.enums.insert(kind.full_name().to_owned(), kind),
                _ => {}
            }
        }
    }

    /// Returns package and full name of everything.
    fn all(&self) -> BTreeSet<(String, String)> {
        let messages =
            self.messages.values().map(|(message, _)| (message.package_name(), message.full_name()));
        let enums = self.enums.values().map(|kind| (kind.package_name(), kind.full_name()));
        messages.chain(enums).map(|(package, name)| (package.to_owned(), name.to_owned())).collect()
    }
}

/// Returns whether every response has the field. A message that may be absent is declared `optional` or is
/// one of a oneof.
fn is_always_shown(field: &FieldDescriptor) -> bool {
    !field.supports_presence() || field.containing_oneof().is_none()
}

/// Names the fields that a body leaves to the path.
fn set_by_path(fields: &[FieldDescriptor]) -> String {
    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.json_name())).collect();
    if names.is_empty() { String::new() } else { format!("\n\nThe path sets {}.", names.join(" and ")) }
}

/// Describes the message's oneofs. As `oneOf` beside `properties`, generators would lose the properties.
fn oneofs(message: &MessageDescriptor) -> String {
    let oneofs = message.oneofs().filter(|oneof| !oneof.is_synthetic());
    let sentences = oneofs.map(|oneof| {
        let names: Vec<String> = oneof.fields().map(|field| format!("`{}`", field.json_name())).collect();
        format!("\n\nAt most one of these is set: {}.", names.join(", "))
    });
    sentences.collect()
}
