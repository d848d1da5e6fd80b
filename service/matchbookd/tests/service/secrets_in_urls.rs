//! No URL carries a secret: proxies, browsers and logs keep URLs.

use http::Method;
use prost_reflect::{FieldDescriptor, MessageDescriptor};
use serde_json::Value;

use crate::stage::{Backend, Http, Stage, body_type};

/// Names under which a caller might try to send a credential.
const NAMES: [&str; 10] = [
    "token",
    "access_token",
    "seatToken",
    "seat_token",
    "matchbook-seat-token",
    "authorization",
    "key",
    "apiKey",
    "claimSecret",
    "claim_secret",
];

/// Returns whether a field of a request holds a secret, by its name.
fn is_secret(field: &FieldDescriptor) -> bool {
    // A page token is a position in a list.
    let name = field.name();
    name != "page_token" && ["token", "secret", "key", "password"].iter().any(|word| name.contains(word))
}

fn secrets(message: &MessageDescriptor) -> Vec<String> {
    // An entry of a map has a field `key`, which is no secret.
    if message.is_map_entry() {
        return Vec::new();
    }
    message.fields().filter(is_secret).map(|field| field.full_name().to_owned()).collect()
}

async fn operations(http: &Http) -> Vec<(Method, String, Value)> {
    let document = http.get("/openapi.json", &[]).await.json();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push((method.to_uppercase().parse().unwrap(), path.clone(), operation.clone()));
        }
    }
    operations
}

#[tokio::test]
async fn no_route_takes_a_token_from_its_url() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    let http = Http::of(&stage.address);
    for (method, path, operation) in operations(&http).await {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            assert!(parameter["in"] == "header" || !NAMES.contains(&name), "{path} has {name}");
        }
        if !path.starts_with("/v1/") {
            continue;
        }
        let body = ("content-type", body_type(&operation));
        let target = path
            .replace("{matchId}", &table.match_id)
            .replace("{seat}", "0")
            .replace("{game}", "ludus-magus");
        for name in NAMES {
            let target = format!("{target}?{name}={}", table.tokens[0]);
            let answer = match method {
                Method::POST => http.send(Method::POST, &target, &[body], "{}").await,
                _ => http.get(&target, &[]).await,
            };
            let error = answer.refused(400, "INVALID_ARGUMENT");
            assert!(!error.to_string().contains(&table.tokens[0]), "{target}: {error}");
        }
    }
    stage.close().await;
}

#[test]
fn requests_with_a_secret_carry_it_in_their_body() {
    let mut found = Vec::new();
    for route in transcode::Routes::from_pool(&wire::DESCRIPTORS).unwrap().iter() {
        let input = route.rpc().input();
        let mut inside = secrets(&input);
        for field in input.fields() {
            inside.extend(field.kind().as_message().map(secrets).unwrap_or_default());
        }
        if inside.is_empty() {
            continue;
        }
        let template = route.template().to_string();
        assert!(matches!(route.http_method(), transcode::HttpMethod::Only(Method::POST)), "{template}");
        assert!(!template.contains("secret") && !template.contains("token"), "{template}");
        found.extend(inside);
    }
    found.sort();
    assert_eq!(
        found,
        [
            "matchbook.v1.ClaimSeatRequest.claim_secret",
            "matchbook.v1.CreateRematchRequest.claim_secret",
            "matchbook.v1.RotateSeatTokenRequest.claim_secret",
            "matchbook.v1.SeatClaim.claim_secret",
            "matchbook.v1.SubmitMovesRequest.seat_token",
        ]
    );
}
