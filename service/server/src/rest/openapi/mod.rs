//! The parts of the OpenAPI document that the protos don't contain: title, security, statuses, examples,
//! commands, boards and health.

mod errors;
mod samples;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use transcode::{ApiDescription, Example, Routes};
use wire::v1::Credentials;

use super::header_fields::HEADER_FIELDS;
use crate::keys::credentials::SEAT_TOKEN_HEADER;
use crate::protocol::{accepted_credentials, error_reasons};

/// Requests and responses of each RPC, with the credential sent; a test makes the calls and compares them.
const EXAMPLES: &str = include_str!("examples.json");

/// Headers of responses as the document spells them.
const CALL_ID: &str = "Matchbook-Call-Id";
const RATE_LIMIT: &str = "RateLimit";
const RATE_LIMIT_POLICY: &str = "RateLimit-Policy";

/// The sections of the reference, in the order in which a player needs them.
const TAGS: [&str; 6] = ["GameService", "MatchService", "Boards", "LogService", "WebhookService", "Health"];

/// The scheme of API keys.
const API_KEY: &str = "apiKey";

/// The scheme of seats' tokens.
const SEAT_TOKEN: &str = "seatToken";

/// Builds the document of the HTTP API.
pub(crate) fn document(routes: &Routes) -> Value {
    let written = written_examples();
    let mut description = ApiDescription {
        info: info(),
        servers: json!([{"url": "/", "description": "The service that serves this document"}]),
        security: security(Credentials::Optional),
        security_schemes: security_schemes(),
        header_fields: HEADER_FIELDS.to_vec(),
        errors: errors::by_rpc(routes),
        reasons: error_reasons().map(|reason| play::reason_name(reason).to_owned()).collect(),
        response_headers: response_headers(),
        get_parameters: vec![if_none_match()],
        get_headers: etag(),
        get_responses: get_responses(),
        examples: examples(&written),
        extra_paths: Map::new(),
        extra_tags: vec![
            json!({"name": "Boards", "description": "Drawings of positions."}),
            json!({
                "name": "Health",
                "description": "Liveness and readiness, for supervisors and load balancers.",
            }),
        ],
    };
    description.extra_paths = health(&description);
    let mut document = transcode::openapi_document(routes, &description);
    add_security(&mut document["paths"]);
    add_positions(&mut document["paths"]);
    add_boards(&mut document["paths"], &description);
    samples::add(&mut document["paths"], &written);
    if let Some(tags) = document["tags"].as_array_mut() {
        tags.sort_by_key(|tag| TAGS.iter().position(|name| tag["name"] == *name));
    }
    document
}

fn security_schemes() -> Value {
    json!({
        API_KEY: {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key (`mbk_...`), which creates and owns matches as an application.",
        },
        SEAT_TOKEN: {
            "type": "apiKey",
            "in": "header",
            "name": SEAT_TOKEN_HEADER,
            "description": "A seat's token from `ClaimSeat` (`mbs_...`), which sees and plays as the seat. \
                            It may be sent together with an API key. Without either, the caller is a \
                            spectator.",
        },
    })
}

/// Returns the alternatives of credentials in the form of OpenAPI.
fn security(accepted: Credentials) -> Value {
    let (none, key) = (json!({}), json!({API_KEY: []}));
    let (seat, both) = (json!({SEAT_TOKEN: []}), json!({API_KEY: [], SEAT_TOKEN: []}));
    match accepted {
        Credentials::Unspecified | Credentials::None => json!([]),
        Credentials::OptionalKey => json!([none, key]),
        Credentials::Key => json!([key]),
        Credentials::Optional => json!([none, key, seat, both]),
        Credentials::KeyOrSeat => json!([key, seat, both]),
        Credentials::Seat => json!([seat, both]),
    }
}

/// Adds the place of each RPC in its service, which `/docs` keeps: JSON objects have no order.
fn add_positions(paths: &mut Value) {
    let methods = wire::DESCRIPTORS.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    let names: Vec<String> = methods.map(|method| method.name().to_owned()).collect();
    for operation in operations(paths) {
        let position = names.iter().position(|name| operation["operationId"] == name.as_str());
        operation["x-position"] = json!(position);
    }
}

fn operations(paths: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = paths.as_object_mut().into_iter().flat_map(Map::values_mut);
    paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

/// Adds the credentials that each RPC accepts.
fn add_security(paths: &mut Value) {
    for operation in operations(paths) {
        let rpc = operation["operationId"].as_str();
        if let Some(accepted) = rpc.and_then(accepted_credentials) {
            operation["security"] = security(accepted);
        }
    }
}

fn info() -> Value {
    json!({
        "title": "Matchbook",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Two-player games as a service.\n\n\
                        A player proves its seat with a token. `ClaimSeat` returns it as `seatToken`, once; \
                        every later call of that seat sends it in the header `matchbook-seat-token`. A call \
                        without a token is a spectator's. An application with an API key, made by \
                        `matchbookd key new`, sends it as `authorization: Bearer KEY`, alone or together \
                        with a seat's token.\n\n\
                        A match in order: `CreateMatch`, `ClaimSeat` for each seat, then `GetView` to see \
                        who is to act, `ListLegalMoves` and `SubmitMove` until the match is over; \
                        `WatchMatch` instead of asking again.\n\n\
                        This is the JSON form of the gRPC services of package \
                        `matchbook.v1`: canonical ProtoJSON with lowerCamelCase names, all fields present, \
                        and 64-bit integers as strings. Acknowledged writes are durable. Every response to a \
                        GET has an `ETag`.\n\n\
                        A path that is not listed here is 404 `UNKNOWN_ROUTE`, and so is a custom method \
                        that does not exist, such as `/v1/matches/ID:win`. A listed path with another \
                        method is 405 `METHOD_NOT_ALLOWED`, with the methods that it has in `Allow`.",
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    })
}

fn get_responses() -> Map<String, Value> {
    let text = "Not modified: the `ETag` matches `If-None-Match`.";
    Map::from_iter([("304".to_owned(), json!({"description": text, "headers": etag()}))])
}

fn etag() -> Map<String, Value> {
    let text = "The version of the response, to send as `If-None-Match`.";
    Map::from_iter([("ETag".to_owned(), errors::header(text, json!({"type": "string"})))])
}

fn if_none_match() -> Value {
    let text = "An `ETag` of an earlier response: if it still holds, the response is 304 without a body.";
    json!({"name": "If-None-Match", "in": "header", "description": text, "schema": {"type": "string"}})
}

/// Returns the headers that every response can have.
fn response_headers() -> Map<String, Value> {
    let text = |description: &str| errors::header(description, json!({"type": "string"}));
    let call_id = "The call's id, which the service logs as `call.id`; the trace's id if the caller sent a \
                   `traceparent`.";
    let policy = "The limits that the call counted for, in calls per window of seconds, as structured fields \
                  (draft-ietf-httpapi-ratelimit-headers-10). Absent if the call counted for none.";
    let state = "What is left of each limit, and the seconds until it is whole again.";
    let headers = [(CALL_ID, text(call_id)), (RATE_LIMIT_POLICY, text(policy)), (RATE_LIMIT, text(state))];
    headers.map(|(name, header)| (name.to_owned(), header)).into_iter().collect()
}

fn written_examples() -> BTreeMap<String, Value> {
    serde_json::from_str(EXAMPLES).expect("a test writes valid examples")
}

fn examples(written: &BTreeMap<String, Value>) -> BTreeMap<String, Example> {
    let example = |value: &Value| Example {
        request: value.get("request").cloned(),
        response: value.get("answer").cloned(),
    };
    written.iter().map(|(rpc, value)| (rpc.clone(), example(value))).collect()
}

/// Adds the drawings, which take the parameters of views.
fn add_boards(paths: &mut Value, description: &ApiDescription) {
    const OF_MATCH: &str = "/v1/matches/{matchId}";
    for (name, id, kind, what) in super::boards::PICTURES {
        let mut board = paths[format!("{OF_MATCH}/view")]["get"].clone();
        board["operationId"] = id.into();
        board["tags"] = json!(["Boards"]);
        board["summary"] = format!("The caller's view as {what}").into();
        board["description"] = "Draws any position; shows exactly what `GetView` shows.".into();
        if kind == board::SVG_CONTENT_TYPE {
            let words: Vec<&str> = board::Theme::ALL.iter().map(|theme| theme.name()).collect();
            let theme = json!({
                "name": super::boards::THEME,
                "in": "query",
                "description": "Colour theme; `auto` follows the reader's system.",
                "schema": {"type": "string", "enum": words},
            });
            let bottom = json!({
                "name": super::boards::BOTTOM_SEAT,
                "in": "query",
                "description": "The seat whose edge of the board is at the bottom; by default the viewer's.",
                "schema": {"type": "integer", "enum": [0, 1]},
            });
            let parameters = board["parameters"].as_array_mut().expect("the view operation has parameters");
            parameters.extend([theme, bottom]);
        }
        let content = json!({kind: {"schema": {"type": "string"}}});
        board["responses"]["200"] =
            json!({"description": "The drawing.", "content": content, "headers": etag()});
        let responses = board["responses"].as_object_mut().expect("the view operation has responses");
        description.add_response_headers(responses, &[]);
        paths[format!("{OF_MATCH}/{name}")] = json!({"get": board});
    }
}

/// Describes the pages for supervisors, which count for no rate limit.
fn health(description: &ApiDescription) -> Map<String, Value> {
    let text = json!({"text/plain": {"schema": {"type": "string"}}});
    let operation = |id: &str, summary: &str, more: &str, unready: bool| {
        let mut responses = get_responses();
        let healthy = json!({"description": "Healthy.", "content": text, "headers": etag()});
        responses.insert("200".to_owned(), healthy);
        for error in errors::of_pages(unready) {
            responses.insert(error.http.to_string(), transcode::error_response(&error));
        }
        description.add_response_headers(&mut responses, &[RATE_LIMIT, RATE_LIMIT_POLICY]);
        json!({
            "operationId": id,
            "summary": summary,
            "description": more,
            "tags": ["Health"],
            "security": [],
            "parameters": description.get_parameters,
            "responses": responses,
        })
    };
    let live =
        operation("IsAlive", "Check that the process responds", "Restart the process if it does not.", false);
    let ready = operation(
        "IsReady",
        "Check that the service accepts calls",
        "Fails while the service is stopping or its database is unavailable.",
        true,
    );
    let paths = [("/livez", live), ("/readyz", ready)];
    paths.map(|(path, operation)| (path.to_owned(), json!({"get": operation}))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference() -> Value {
        document(&Routes::from_pool(&wire::DESCRIPTORS).unwrap())
    }

    #[test]
    fn the_reference_begins_with_tokens_and_keeps_the_order_of_play() {
        let mut document = reference();
        let text = document["info"]["description"].as_str().unwrap().to_owned();
        let [token, order, form] =
            ["matchbook-seat-token", "A match in order", "ProtoJSON"].map(|part| text.find(part));
        assert!(token.is_some() && token < order && order < form, "{text}");
        let tags = document["tags"].as_array().unwrap().iter();
        assert_eq!(tags.map(|tag| tag["name"].as_str().unwrap()).collect::<Vec<_>>(), TAGS);
        let positions: BTreeMap<String, u64> = operations(&mut document["paths"])
            .filter_map(|one| Some((one["operationId"].as_str()?.to_owned(), one["x-position"].as_u64()?)))
            .collect();
        let play = ["ListGames", "CreateMatch", "ClaimSeat", "GetView", "ListLegalMoves", "SubmitMove"];
        assert!(play[1..].is_sorted_by_key(|rpc| positions[*rpc]), "{positions:?}");
    }
}
