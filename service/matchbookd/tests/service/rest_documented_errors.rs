//! The OpenAPI document lists every error that a call gets, and `BAD_TOKEN` only where it happens: each
//! operation is called without credentials, with wrong ones, and with a wrong body.

use http::Method;
use serde_json::Value;

use crate::stage::{Backend, Http, Stage, body_type};

/// Credentials that the service refuses where it reads them.
const CREDENTIALS: [(&str, &str); 3] =
    [("accept", "*/*"), ("matchbook-seat-token", "mbs_wrong"), ("authorization", "Bearer mbk_wrong")];

#[tokio::test]
async fn the_document_lists_every_error_that_a_call_gets() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let document = http.get("/openapi.json", &[]).await.json();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let rpc = operation["operationId"].as_str().unwrap();
            let mut refused = false;
            for header in CREDENTIALS {
                for body in ["{}", "{\"nonsense\": 1}"] {
                    let method: Method = method.to_uppercase().parse().unwrap();
                    let headers = [("content-type", body_type(operation)), header];
                    let found = call(&http, method, path, &headers, body).await;
                    refused |= found.as_deref() == Some("BAD_TOKEN");
                    assert_listed(operation, found.as_deref());
                }
            }
            let listed = operation["responses"]["401"]["description"].as_str();
            let listed = listed.is_some_and(|text| text.contains("`BAD_TOKEN`"));
            assert_eq!(listed, refused, "BAD_TOKEN of {rpc}: listed, happens");
        }
    }
    stage.close().await;
}

#[tokio::test]
async fn the_document_says_what_other_paths_and_methods_get() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let document = http.get("/openapi.json", &[]).await.json();
    let about = document["info"]["description"].as_str().unwrap();
    for target in ["/v1/nothing", "/v1/matches/a:win"] {
        http.send(Method::POST, target, &[], "").await.refused(404, "UNKNOWN_ROUTE");
        assert!(about.contains("404 `UNKNOWN_ROUTE`"), "{about}");
    }
    let error = http.get("/v1/matches/a:win", &[]).await.refused(404, "UNKNOWN_ROUTE");
    let text = error["message"].as_str().unwrap();
    assert!(text.contains("no custom method `:win`") && text.contains("POST :abort, POST :fork"), "{text}");
    let mut paths = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let found = http.send(Method::TRACE, &path.replace(['{', '}'], ""), &[], "").await;
        found.refused(405, "METHOD_NOT_ALLOWED");
        for (method, operation) in item.as_object().unwrap() {
            assert!(found.header("allow").contains(&method.to_uppercase()), "{method} {path}");
            let documented = &operation["responses"]["405"];
            let text = documented["description"].as_str().unwrap_or_default();
            assert!(text.contains("`METHOD_NOT_ALLOWED`"), "{method} {path}: {documented}");
            assert!(documented["headers"]["Allow"].is_object(), "{method} {path}: {documented}");
        }
        paths += 1;
    }
    assert!(paths > 30, "{paths}");
    stage.close().await;
}

/// Calls an operation about a match that does not exist; returns the reason of an error.
async fn call(
    http: &Http,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Option<String> {
    let id = "01980d1e-7c3a-7bb0-8d7e-0242ac120002";
    let path = ["{matchId}", "{webhookId}"].iter().fold(path.to_owned(), |path, name| path.replace(name, id));
    let path = path.replace("{seat}", "0").replace("{gameId}", "chess");
    let path = if path == "/v1/feed" { format!("{path}?follow=false") } else { path };
    let body = if method == Method::GET || method == Method::DELETE { "" } else { body };
    let answer = http.send(method, &path, headers, body.to_owned()).await;
    if answer.status.as_u16() < 400 {
        return None;
    }
    answer.json()["error"]["reason"].as_str().map(str::to_owned)
}

fn assert_listed(operation: &Value, reason: Option<&str>) {
    let Some(reason) = reason else { return };
    let mut texts = operation["responses"].as_object().unwrap().values();
    let listed = texts.any(|one| one["description"].as_str().is_some_and(|text| text.contains(reason)));
    assert!(listed, "{} got {reason}, which its responses do not list", operation["operationId"]);
}
