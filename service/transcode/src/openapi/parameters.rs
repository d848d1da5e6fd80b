//! Parameters in path, query and headers.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Value, json};

use super::annotations;
use super::schemas::Schemas;
use crate::field_path::{FieldPath, MAX_DEPTH};
use crate::header_fields::HeaderField;
use crate::routes::{Body, Route};
use crate::template::Segment;
use crate::value::has_special_json;

/// Returns the path in OpenAPI syntax, with JSON names of variables.
pub(crate) fn path(route: &Route) -> String {
    let template = route.template();
    let mut path = String::new();
    let mut at = 0;
    while at < template.segments().len() {
        let variables = template.variables().iter().zip(route.variables());
        if let Some((variable, field)) = variables.into_iter().find(|(known, _)| known.segments.start == at) {
            path.push_str(&format!("/{{{field}}}"));
            at = variable.segments.end.max(at + 1);
            continue;
        }
        path.push('/');
        path.push_str(match &template.segments()[at] {
            Segment::Literal(text) => text,
            Segment::Wildcard => "*",
            Segment::CatchAll => "**",
        });
        at += 1;
    }
    template.verb().map_or(path.clone(), |verb| format!("{path}:{verb}"))
}

/// Returns all parameters of a route.
pub(crate) fn parameters(route: &Route, schemas: &Schemas<'_>, headers: &[HeaderField]) -> Vec<Value> {
    let in_path = route.variables().iter().map(|field| {
        let name = field.to_string();
        parameter("path", &name, schemas.field(field.target()), true)
    });
    let request = route.rpc().input();
    let mut all: Vec<Value> = in_path.collect();
    if *route.body() != Body::Whole {
        in_query(&mut all, route, schemas, &request, &mut Vec::new());
    }
    for header in headers {
        if let Some(field) = header.field_of(route.rpc()) {
            let mut schema = schemas.field(&field);
            schema["description"] = header.description.into();
            all.push(parameter("header", header.display_name, schema, false));
        }
    }
    all
}

fn in_query(
    all: &mut Vec<Value>,
    route: &Route,
    schemas: &Schemas<'_>,
    message: &MessageDescriptor,
    parents: &mut Vec<FieldDescriptor>,
) {
    for field in message.fields() {
        let names = parents.iter().chain([&field]).map(FieldDescriptor::json_name);
        let name = names.collect::<Vec<_>>().join(".");
        let in_body = matches!(route.body(), Body::Field(body) if name == body.json_name());
        let in_path = route.variables().iter().map(FieldPath::to_string).any(|path| path == name);
        if in_body || in_path || field.is_map() {
            continue;
        }
        match field.kind() {
            Kind::Message(inner) if !has_special_json(&inner) => {
                let known = parents.iter().any(|parent| parent == &field);
                if !field.is_list() && !known && parents.len() + 1 < MAX_DEPTH {
                    parents.push(field);
                    in_query(all, route, schemas, &inner, parents);
                    parents.pop();
                }
            }
            _ => all.push(parameter("query", &name, schemas.field(&field), annotations::is_required(&field))),
        }
    }
}

fn parameter(place: &str, name: &str, mut schema: Value, required: bool) -> Value {
    let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    let mut parameter = json!({"name": name, "in": place, "schema": schema});
    if let Some(description) = description {
        parameter["description"] = description;
    }
    if required {
        parameter["required"] = true.into();
    }
    parameter
}
