//! A route as an OpenAPI operation.

use serde_json::{Map, Value, json};

use super::comments::{Comments, summary};
use super::parameters::parameters;
use super::schemas::Schemas;
use super::{ApiDescription, ERROR, ErrorStatus, Example};
use crate::gateway::ResponseFormat;
use crate::routes::{Body, Route};
use crate::rule::HttpMethod;

/// Builds operations.
pub(crate) struct Operations<'a> {
    pub(crate) comments: &'a Comments,
    pub(crate) schemas: &'a Schemas<'a>,
    pub(crate) description: &'a ApiDescription,
}

impl Operations<'_> {
    /// Returns the operation of a route.
    pub(crate) fn operation(&self, route: &Route) -> Value {
        let rpc = route.rpc();
        let text = self.comments.of_rpc(rpc);
        let example = self.description.examples.get(rpc.full_name());
        let mut operation = json!({
            "operationId": rpc.name(),
            "summary": summary(&text),
            "description": text,
            "tags": [rpc.parent_service().name()],
            "parameters": self.parameters(route, example),
            "responses": self.responses(route, example),
        });
        if let Some(schema) = self.body(route) {
            let mut content = json!({"schema": schema});
            if let Some(request) = example.and_then(|example| example.request.as_ref()) {
                content["example"] = body_example(route, request);
            }
            operation["requestBody"] = request_body(route, &content);
        }
        operation
    }

    fn parameters(&self, route: &Route, example: Option<&Example>) -> Vec<Value> {
        let mut all = parameters(route, self.schemas, &self.description.header_fields);
        if let Some(request) = example.and_then(|example| example.request.as_ref()) {
            add_examples(&mut all, request);
        }
        if is_unary_get(route) {
            all.extend(self.description.get_parameters.iter().cloned());
        }
        all
    }

    fn body(&self, route: &Route) -> Option<Value> {
        match route.body() {
            Body::None => None,
            Body::Whole => Some(self.schemas.of_message(&route.rpc().input())),
            Body::Field(field) => Some(self.schemas.field(field)),
        }
    }

    fn responses(&self, route: &Route, example: Option<&Example>) -> Map<String, Value> {
        let mut responses = Map::new();
        responses.insert("200".to_owned(), self.success(route, example));
        let is_watch = route.rpc().is_server_streaming() && !route.rpc().is_client_streaming();
        if is_watch {
            let nothing =
                "Server-sent events only: there is nothing new, and an EventSource stops reconnecting.";
            responses.insert("204".to_owned(), json!({"description": nothing}));
        } else if is_unary_get(route) {
            responses.extend(self.description.get_responses.clone());
        }
        for error in self.description.errors.get(route.rpc().full_name()).into_iter().flatten() {
            responses.insert(error.http.to_string(), error_response(error));
        }
        self.description.add_response_headers(&mut responses, &[]);
        responses
    }

    fn success(&self, route: &Route, example: Option<&Example>) -> Value {
        let response = route.rpc().output();
        let schema = match route.response_body() {
            Some(field) => self.schemas.field(field),
            None => self.schemas.of_message(&response),
        };
        let example = example.and_then(|example| example.response.clone());
        let mut content = Map::new();
        if route.rpc().is_server_streaming() {
            for format in ResponseFormat::STREAMING {
                content.insert(format.media_type().to_owned(), stream(*format, &schema, example.as_ref()));
            }
        } else {
            let mut json = json!({"schema": schema});
            if let Some(example) = example {
                json["example"] = example;
            }
            content.insert(ResponseFormat::Json.media_type().to_owned(), json);
        }
        let mut text = summary(&self.comments.of_message(&response));
        if text.is_empty() {
            text.push_str("The call succeeded");
        }
        let mut response = json!({"description": text + ".", "content": content});
        if is_unary_get(route) && !self.description.get_headers.is_empty() {
            response["headers"] = self.description.get_headers.clone().into();
        }
        response
    }
}

fn request_body(route: &Route, content: &Value) -> Value {
    if !route.rpc().is_client_streaming() {
        return json!({"content": {ResponseFormat::Json.media_type(): content}});
    }
    // An example has one request.
    let examples = content.get("example").map(|request| Value::from(vec![request.clone()]));
    let text = "One message per line, as many as wanted.";
    let lines = lines(text, ("", "\n"), &content["schema"], examples.as_ref());
    json!({"content": {ResponseFormat::Ndjson.media_type(): lines}})
}

/// Returns what the body has of a request.
fn body_example(route: &Route, request: &Value) -> Value {
    if let Body::Field(field) = route.body() {
        return request[field.json_name()].clone();
    }
    let mut body = request.clone();
    for field in route.variables() {
        if let Some(fields) = body.as_object_mut() {
            fields.remove(&field.to_string());
        }
    }
    body
}

/// Adds the values that a request has for parameters in path and query.
fn add_examples(parameters: &mut [Value], request: &Value) {
    for parameter in parameters.iter_mut().filter(|parameter| parameter["in"] != "header") {
        let name = parameter["name"].as_str().unwrap_or_default();
        let value = name.split('.').try_fold(request, |value, field| value.get(field));
        if let Some(value) = value.cloned() {
            parameter["example"] = value;
        }
    }
}

fn is_unary_get(route: &Route) -> bool {
    *route.http_method() == HttpMethod::Only(http::Method::GET) && !route.rpc().is_server_streaming()
}

/// Returns the OpenAPI response of a failed call.
pub fn error_response(error: &ErrorStatus) -> Value {
    let mut response = json!({
        "description": error.description,
        "content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{ERROR}")}}},
    });
    if !error.headers.is_empty() {
        response["headers"] = error.headers.clone().into();
    }
    response
}

/// Describes a stream. OpenAPI 3.1 has no schema for streams, so the schema of a frame is that of the
/// string's content.
fn stream(format: ResponseFormat, frame: &Value, frames: Option<&Value>) -> Value {
    let (text, around) = match format {
        ResponseFormat::Sse => (
            "Server-sent events, each with one message as `data`. An error is an event named `error`.",
            ("data: ", "\n\n"),
        ),
        _ => ("One message per line. An error is the last line, `{\"error\": ...}`.", ("", "\n")),
    };
    lines(text, around, frame, frames)
}

/// Describes messages of a stream, each with something before and after it.
fn lines(text: &str, (prefix, ending): (&str, &str), frame: &Value, frames: Option<&Value>) -> Value {
    let schema = json!({
        "type": "string",
        "description": text,
        "contentMediaType": "application/json",
        "contentSchema": frame,
    });
    let mut content = json!({ "schema": schema });
    if let Some(frames) = frames.and_then(Value::as_array) {
        let lines: String = frames.iter().map(|frame| format!("{prefix}{frame}{ending}")).collect();
        content["example"] = lines.into();
    }
    content
}
