//! The shape of the OpenAPI document, as generators of clients need it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::rate_limits::behind_a_proxy;
use crate::stage::{Backend, Http, Stage, Storage};

async fn document() -> Value {
    let stage = Stage::on(Backend::Memory).await;
    let document = Http::of(&stage.address).get("/openapi.json", &[]).await.json();
    stage.close().await;
    document
}

fn schemas(document: &Value) -> &Map<String, Value> {
    document["components"]["schemas"].as_object().unwrap()
}

/// Calls `check` with every object in the document.
fn each_object(value: &Value, check: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            check(object);
            object.values().for_each(|inner| each_object(inner, check));
        }
        Value::Array(list) => list.iter().for_each(|inner| each_object(inner, check)),
        _ => {}
    }
}

#[tokio::test]
async fn no_schema_combines_others_beside_its_properties() {
    let document = document().await;
    let mut seen = 0;
    for (name, schema) in schemas(&document) {
        each_object(schema, &mut |object| {
            if object.contains_key("properties") {
                seen += 1;
                let combined = ["oneOf", "anyOf", "allOf"].iter().find(|key| object.contains_key(**key));
                assert_eq!(combined, None, "generators drop the properties of {name}");
            }
        });
    }
    assert!(seen > 100, "{seen}");
}

#[tokio::test]
async fn names_are_short_and_a_message_has_one_schema() {
    let document = document().await;
    let schemas = schemas(&document);
    for name in ["Match", "Move", "SubmitMoveRequest", "AngelsAndDemonsMove", "LudusMagusMove", "Error"] {
        assert!(schemas.contains_key(name), "{name} is missing");
    }
    let long: Vec<&String> = schemas.keys().filter(|name| name.contains('.')).collect();
    assert!(long.is_empty(), "{long:?}");
    let sent = &schemas["SubmitMoveRequest"]["properties"]["move"]["$ref"];
    assert_eq!(sent, &schemas["LegalMove"]["properties"]["move"]["$ref"], "a listed move can be sent");
}

#[tokio::test]
async fn only_messages_that_are_only_sent_are_closed() {
    let document = document().await;
    for (name, schema) in schemas(&document) {
        let closed = schema["additionalProperties"] == false;
        assert!(!name.ends_with("Request") || closed, "{name}: the service rejects unknown fields");
        assert!(!name.ends_with("Response") || !closed, "{name} may gain fields");
    }
    for open in ["Match", "Move", "View", "Event", "Error"] {
        assert!(schemas(&document)[open].get("additionalProperties").is_none(), "{open}");
    }
}

#[tokio::test]
async fn every_response_that_can_be_retried_has_the_header_for_it() {
    let document = document().await;
    for path in document["paths"].as_object().unwrap().values() {
        for (method, operation) in path.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            let id = &operation["operationId"];
            let has = |status: &str, header: &str| {
                responses.get(status).is_none_or(|one| one["headers"].get(header).is_some())
            };
            assert!(has("401", "WWW-Authenticate"), "{id}");
            let limited = !["IsAlive", "IsReady"].iter().any(|page| id == page);
            for status in responses.keys() {
                assert!(has(status, "Matchbook-Call-Id"), "{id} {status}");
                assert!(
                    !limited || has(status, "RateLimit") && has(status, "RateLimit-Policy"),
                    "{id} {status}"
                );
            }
            assert!(has("429", "Retry-After") && has("503", "Retry-After"), "{id}");
            let streams = responses.contains_key("204");
            let parameters = operation["parameters"].as_array().unwrap();
            let conditional = parameters.iter().any(|parameter| parameter["name"] == "If-None-Match");
            assert!(method != "get" || streams || has("200", "ETag") && has("304", "ETag"), "{id}");
            assert_eq!(conditional, method == "get" && !streams, "{id}");
        }
    }
}

#[tokio::test]
async fn fields_of_messages_are_query_parameters() {
    let document = document().await;
    let view = &document["paths"]["/v1/matches/{matchId}/view"]["get"]["parameters"];
    let parameter = |name: &str| view.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(parameter("viewer.kind")["schema"]["$ref"], "#/components/schemas/ViewerKind");
    assert_eq!(parameter("viewer.seat")["schema"]["type"], "integer");
    assert_eq!(parameter("matchId")["schema"]["format"], "uuid");
    assert!(schemas(&document)["ViewerKind"]["enum"].is_array());
}

#[tokio::test]
async fn every_header_of_a_response_is_documented() {
    let storage = Storage::here(Backend::Memory).await;
    let stage = Stage::with(behind_a_proxy(&storage).await).await;
    let http = Http::of(&stage.address);
    let document = http.get("/openapi.json", &[]).await.json();
    let from = ("x-forwarded-for", "192.0.2.7");
    let table = stage.client.table(4, 4, 9).await;
    let etag = http.get("/v1/games", &[from]).await.headers["etag"].to_str().unwrap().to_owned();
    let mut seen = BTreeSet::new();
    for (path, status, more) in [
        ("/v1/games", 200, None),
        ("/v1/games", 304, Some(("if-none-match", etag.as_str()))),
        ("/v1/games/{gameId}", 404, None),
        ("/v1/matches/{matchId}/moves:suggest", 401, None),
        ("/v1/matches/{matchId}/board.svg", 200, None),
        ("/livez", 200, None),
    ] {
        let target = path.replace("{matchId}", &table.match_id).replace("{gameId}", "chess");
        let headers: Vec<_> = [from].into_iter().chain(more).collect();
        let answer = http.get(&target, &headers).await;
        assert_eq!(answer.status.as_u16(), status, "{target}");
        let documented = &document["paths"][path]["get"]["responses"][status.to_string()]["headers"];
        let documented: BTreeSet<String> =
            documented.as_object().unwrap().keys().map(|name| name.to_lowercase()).collect();
        for name in ["matchbook-call-id", "ratelimit", "ratelimit-policy", "etag", "www-authenticate"] {
            if answer.headers.contains_key(name) {
                seen.insert(name);
                assert!(documented.contains(name), "{target} {status}: {name}");
            }
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
    stage.close().await;
}
