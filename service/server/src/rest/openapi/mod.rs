//! What OpenAPI says of Matchbook that the protos don't: who it is, tokens, statuses, examples, boards and health.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use transcode::{ApiDescription, AppliesTo, ErrorStatus, Example, Routes};

use super::HEADER_FIELDS;
use crate::errors::{answer, reasons};

/// Requests and answers of a match that was really played; a test plays it again and compares.
const EXAMPLES: &str = include_str!("examples.json");

/// The scheme of `authorization: Bearer`.
const BEARER: &str = "bearerToken";

/// The description of everything that is served over HTTP.
pub(crate) fn document(routes: &Routes) -> Value {
    let description = ApiDescription {
        info: info(),
        servers: json!([{"url": "/", "description": "The service that this document comes from"}]),
        security: json!([{}, {BEARER: []}]),
        security_schemes: json!({BEARER: {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of a seat (`mbs_...`), which `ClaimSeat` gave, or an API key (`mbk_...`). Without either \
                            a caller is anonymous and looks on as a spectator.",
        }}),
        header_fields: HEADER_FIELDS.to_vec(),
        errors: errors(),
        reasons: reasons().map(play::reason_word).collect(),
        get_responses: of_reads(),
        examples: examples(),
        extra_paths: health(),
        extra_tags: vec![
            json!({"name": "Boards", "description": "Positions drawn."}),
            json!({"name": "Health", "description": "Whether the service lives; for load balancers."}),
        ],
    };
    let mut document = transcode::openapi_document(routes, &description);
    add_boards(&mut document["paths"]);
    document
}

fn info() -> Value {
    json!({
        "title": "Matchbook",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Two-player games as a service. This is the JSON form of the gRPC services of package \
                        `matchbook.v1`: canonical ProtoJSON, lowerCamelCase, every field shown, 64-bit numbers as \
                        texts. What is acknowledged is durable. Every answer to a GET has an `ETag`.",
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    })
}

fn errors() -> Vec<ErrorStatus> {
    let mut words: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for reason in reasons() {
        words.entry(answer(reason).http).or_default().push(format!("`{}`", play::reason_word(reason)));
    }
    // Another method is another operation, or none.
    words.remove(&405);
    let statuses = words.into_iter().map(|(http, words)| {
        let applies_to = if matches!(http, 415 | 422 | 504) { AppliesTo::WithBody } else { AppliesTo::All };
        ErrorStatus { http, description: format!("Refused: {}.", words.join(", ")), applies_to }
    });
    statuses.collect()
}

fn of_reads() -> Map<String, Value> {
    let same =
        json!({"description": "The caller has this answer already: its `ETag` came as `If-None-Match`."});
    Map::from_iter([("304".to_owned(), same)])
}

fn examples() -> BTreeMap<String, Example> {
    let written: BTreeMap<String, Value> = serde_json::from_str(EXAMPLES).expect("a test has written it");
    let example = |value: Value| Example {
        request: value.get("request").cloned(),
        response: value.get("answer").cloned(),
    };
    written.into_iter().map(|(rpc, value)| (rpc, example(value))).collect()
}

/// A board is asked for as a view is.
fn add_boards(paths: &mut Value) {
    const OF_MATCH: &str = "/v1/matches/{matchId}";
    for (name, id, kind, what) in super::boards::PICTURES {
        let mut board = paths[format!("{OF_MATCH}/view")]["get"].clone();
        board["operationId"] = id.into();
        board["tags"] = json!(["Boards"]);
        board["summary"] = format!("The caller's view as {what}").into();
        board["description"] = "Of any position; shows what `GetView` shows and nothing else.".into();
        if kind == board::SVG_CONTENT_TYPE {
            let words: Vec<&str> = board::Theme::ALL.iter().map(|theme| theme.name()).collect();
            let theme = json!({
                "name": super::boards::THEME,
                "in": "query",
                "description": "Its colours; `auto` as the reader's system has them.",
                "schema": {"type": "string", "enum": words},
            });
            board["parameters"].as_array_mut().expect("a view has parameters").push(theme);
        }
        let content = json!({kind: {"schema": {"type": "string"}}});
        board["responses"]["200"] = json!({"description": "The drawing.", "content": content});
        paths[format!("{OF_MATCH}/{name}")] = json!({"get": board});
    }
}

fn health() -> Map<String, Value> {
    let text = json!({"text/plain": {"schema": {"type": "string"}}});
    let operation = |id: &str, summary: &str, more: &str| {
        let mut operation = json!({
            "operationId": id,
            "summary": summary,
            "description": more,
            "tags": ["Health"],
            "security": [],
            "responses": {"200": {"description": "Yes.", "content": text}},
        });
        operation["responses"]["304"] = of_reads()["304"].clone();
        operation["responses"]["413"] = json!({"$ref": "#/components/responses/Status413"});
        operation
    };
    let live = operation("IsAlive", "Whether the process answers", "Restart it if it does not.");
    let mut ready = operation(
        "IsReady",
        "Whether calls should be sent here",
        "Not while the service stops, or while its database does not answer.",
    );
    ready["responses"]["503"] = json!({"$ref": "#/components/responses/Status503"});
    let paths = [("/livez", live), ("/readyz", ready)];
    paths.map(|(path, operation)| (path.to_owned(), json!({"get": operation}))).into_iter().collect()
}
