//! One route as an operation.

use serde_json::{Map, Value, json};

use super::comments::{Comments, summary};
use super::parameters::parameters;
use super::schemas::{Schemas, Side};
use super::{Description, Example, Operand};
use crate::front::Form;
use crate::routes::{Body, Route};
use crate::rule::HttpMethod;

/// Makes operations.
pub(crate) struct Operations<'a> {
    pub(crate) comments: &'a Comments,
    pub(crate) schemas: &'a Schemas<'a>,
    pub(crate) description: &'a Description,
}

impl Operations<'_> {
    /// The route's.
    pub(crate) fn of(&self, route: &Route) -> Value {
        let rpc = route.rpc();
        let text = self.comments.of_rpc(rpc);
        let example = self.description.examples.get(rpc.full_name());
        let mut operation = json!({
            "operationId": rpc.name(),
            "summary": summary(&text),
            "description": text,
            "tags": [rpc.parent_service().name()],
            "parameters": parameters(route, self.schemas, &self.description.header_fields),
            "responses": self.responses(route, example),
        });
        if let Some(schema) = self.body(route) {
            let mut content = json!({"schema": schema});
            if let Some(request) = example.and_then(|example| example.request.clone()) {
                content["example"] = request;
            }
            operation["requestBody"] = json!({"content": {"application/json": content}});
        }
        operation
    }

    fn body(&self, route: &Route) -> Option<Value> {
        match route.body() {
            Body::None => None,
            Body::Whole => Some(self.schemas.of_message(&route.rpc().input(), Side::Request)),
            Body::Field(field) => Some(self.schemas.field(field, Side::Request)),
        }
    }

    fn responses(&self, route: &Route, example: Option<&Example>) -> Map<String, Value> {
        let mut responses = Map::new();
        responses.insert("200".to_owned(), self.success(route, example));
        if route.rpc().is_server_streaming() {
            let nothing = "Events only: nothing is left to tell, so that an EventSource stops asking.";
            responses.insert("204".to_owned(), json!({"description": nothing}));
        } else if *route.http_method() == HttpMethod::Only(http::Method::GET) {
            responses.extend(self.description.of_reads.clone());
        }
        for error in &self.description.errors {
            if error.of == Operand::Any || *route.body() != Body::None {
                let response = format!("#/components/responses/Status{}", error.http);
                responses.insert(error.http.to_string(), json!({"$ref": response}));
            }
        }
        responses
    }

    fn success(&self, route: &Route, example: Option<&Example>) -> Value {
        let answer = route.rpc().output();
        let schema = match route.response_body() {
            Some(field) => self.schemas.field(field, Side::Answer),
            None => self.schemas.of_message(&answer, Side::Answer),
        };
        let example = example.and_then(|example| example.answer.clone());
        let mut content = Map::new();
        if route.rpc().is_server_streaming() {
            for form in Form::OF_STREAMS {
                content.insert(form.media_type().to_owned(), stream(*form, &schema, example.as_ref()));
            }
        } else {
            let mut json = json!({"schema": schema});
            if let Some(example) = example {
                json["example"] = example;
            }
            content.insert(Form::Json.media_type().to_owned(), json);
        }
        let mut text = summary(&self.comments.of_message(&answer));
        if text.is_empty() {
            text.push_str("It is done");
        }
        json!({"description": text + ".", "content": content})
    }
}

/// OpenAPI 3.1 has no words for the items of a stream, so the schema of one stands inside the text.
fn stream(form: Form, frame: &Value, frames: Option<&Value>) -> Value {
    let (text, prefix, ending) = match form {
        Form::Sse => (
            "Server-sent events, the `data` of each one message; an error is an event `error`.",
            "data: ",
            "\n\n",
        ),
        _ => ("One message a line; an error is the last line, `{\"error\": ...}`.", "", "\n"),
    };
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
