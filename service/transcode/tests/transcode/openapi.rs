//! The OpenAPI document of the fictional library.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use transcode::{ApiDescription, ErrorStatus, openapi_document};

use crate::pool;

fn library() -> Value {
    let headers = Map::from_iter([("Retry-After".to_owned(), json!({"schema": {"type": "integer"}}))]);
    let error = |http| ErrorStatus { http, description: "Failed.".to_owned(), headers: headers.clone() };
    let errors = [("LendBook", vec![error(404), error(415)]), ("GetBook", vec![error(404)])];
    let errors = errors.map(|(rpc, errors)| (format!("library.v1.Library.{rpc}"), errors));
    let description = ApiDescription {
        errors: BTreeMap::from(errors),
        get_headers: Map::from_iter([("ETag".to_owned(), json!({"schema": {"type": "string"}}))]),
        ..ApiDescription::default()
    };
    openapi_document(pool::library(), &description)
}

fn names(operation: &Value) -> Vec<(&str, &str)> {
    let parameters = operation["parameters"].as_array().unwrap().iter();
    parameters.map(|one| (one["in"].as_str().unwrap(), one["name"].as_str().unwrap())).collect()
}

#[test]
fn each_route_is_an_operation() {
    let document = library();
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    for path in
        ["/v1/shelves/{shelf}/books", "/v1/shelves/{shelf}/books/{genre}:lend", "/v1/{name}", "/v1/tags"]
    {
        assert!(paths.iter().any(|known| *known == path), "{path}: {paths:?}");
    }
    let lend = &document["paths"]["/v1/shelves/{shelf}/books/{genre}:lend"]["post"];
    assert_eq!(names(lend), [("path", "shelf"), ("path", "genre")]);
    let statuses: Vec<&String> = lend["responses"].as_object().unwrap().keys().collect();
    assert_eq!(statuses, ["200", "404", "415"]);
    assert_eq!(lend["responses"]["415"]["headers"]["Retry-After"]["schema"]["type"], "integer");
    assert!(lend["responses"]["200"].get("headers").is_none(), "only a GET has an ETag");
    let list = &document["paths"]["/v1/shelves/{shelf}/books"]["get"];
    assert!(list["responses"].get("404").is_none(), "it lists no errors");
    assert_eq!(list["responses"]["200"]["headers"]["ETag"]["schema"]["type"], "string");
    let parameters = names(list);
    for name in ["pageSize", "author.fullName", "author.mentor.fullName", "since", "genres", "ascending"] {
        assert!(parameters.contains(&("query", name)), "{name}: {parameters:?}");
    }
    assert!(!parameters.contains(&("query", "notes")), "a map is not a query parameter");
    let items = &list["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(items["items"]["$ref"], "#/components/schemas/Book");
}

#[test]
fn schemas_describe_canonical_json() {
    let document = library();
    let schemas = &document["components"]["schemas"];
    let book = &schemas["Book"];
    assert!(book.get("oneOf").is_none(), "generators lose properties beside `oneOf`");
    let text = book["description"].as_str().unwrap();
    assert!(text.ends_with("At most one of these is set: `colour`, `picture`."), "{text}");
    assert!(book.get("additionalProperties").is_none(), "responses may gain fields");
    assert_eq!(book["required"], json!(["title"]), "a message of requests has only what they must set");
    let (sent, shown) = (&schemas["LendBookRequest"], &schemas["Loan"]);
    let body = &sent["properties"];
    assert!(body.get("shelf").is_none() && body.get("days").is_some(), "the path sets the shelf");
    assert_eq!((&sent["additionalProperties"], &sent["required"]), (&json!(false), &json!(["days"])));
    assert_eq!(shown["required"], json!(["book", "due", "open"]), "all but optional fields");
    let list = document["paths"]["/v1/shelves/{shelf}/books"]["get"]["parameters"].as_array().unwrap();
    let schema = |name: &str| &list.iter().find(|one| one["name"] == name).unwrap()["schema"];
    assert_eq!(schema("after")["type"], "string", "64-bit integers are strings");
    assert_eq!(schema("since")["format"], "date-time");
    assert_eq!(schema("signed")["type"], "boolean");
    assert_eq!(schema("cookie")["contentEncoding"], "base64");
}

#[test]
fn rules_of_fields_become_keywords() {
    let document = library();
    let lend = &document["components"]["schemas"]["LendBookRequest"]["properties"];
    assert_eq!((&lend["days"]["minimum"], &lend["days"]["maximum"]), (&json!(1), &json!(90)));
    assert_eq!((&lend["reader"]["minLength"], &lend["reader"]["maxLength"]), (&json!(1), &json!(40)));
    assert_eq!((&lend["loanId"]["format"], &lend["code"]["pattern"]), (&json!("uuid"), &json!("^[a-z]+$")));
    assert_eq!(lend["stamp"]["maxLength"], 12, "nine bytes in base64");
    assert_eq!((&lend["seal"]["minLength"], &lend["seal"]["maxLength"]), (&json!(43), &json!(44)));
    assert_eq!((&lend["tags"]["minItems"], &lend["tags"]["maxItems"]), (&json!(1), &json!(5)));
    assert_eq!(lend["tags"]["items"]["maxLength"], 20);
    let marks = &lend["marks"];
    assert_eq!(
        (&marks["maxProperties"], &marks["propertyNames"]["pattern"]),
        (&json!(6), &json!("^[a-z]+$"))
    );
    assert_eq!(marks["additionalProperties"], json!({"type": "string", "maxLength": 30}));
}
