//! The OpenAPI document of the fictional library.

use serde_json::{Value, json};
use transcode::{ApiDescription, AppliesTo, ErrorStatus, openapi_document};

use crate::pool;

fn library() -> Value {
    let error = |http, applies_to| ErrorStatus { http, description: "Failed.".to_owned(), applies_to };
    let description = ApiDescription {
        errors: vec![error(404, AppliesTo::All), error(415, AppliesTo::WithBody)],
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
    let list = &document["paths"]["/v1/shelves/{shelf}/books"]["get"];
    assert!(list["responses"].get("415").is_none(), "it has no body");
    let parameters = names(list);
    for name in ["pageSize", "author.fullName", "author.mentor.fullName", "since", "genres", "ascending"] {
        assert!(parameters.contains(&("query", name)), "{name}: {parameters:?}");
    }
    assert!(!parameters.contains(&("query", "notes")), "a map is not a query parameter");
    let items = &list["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(items["items"]["$ref"], "#/components/schemas/library.v1.Book");
}

#[test]
fn schemas_describe_canonical_json() {
    let document = library();
    let schemas = &document["components"]["schemas"];
    let book = &schemas["library.v1.Book"];
    assert_eq!(book["required"], json!(["name", "title", "genre", "editors", "notes"]));
    assert_eq!(book["oneOf"].as_array().unwrap().len(), 3, "a colour, a picture, or neither");
    assert_eq!(book["additionalProperties"], false);
    assert_eq!(schemas["library.v1.Book.Input"].get("required"), None, "requests may omit any field");
    let body = &schemas["library.v1.LendBookRequest"]["properties"];
    assert!(body.get("shelf").is_none() && body.get("days").is_some(), "the path sets the shelf");
    let list = document["paths"]["/v1/shelves/{shelf}/books"]["get"]["parameters"].as_array().unwrap();
    let schema = |name: &str| &list.iter().find(|one| one["name"] == name).unwrap()["schema"];
    assert_eq!(schema("after")["type"], "string", "64-bit integers are strings");
    assert_eq!(schema("since")["format"], "date-time");
    assert_eq!(schema("signed")["type"], "boolean");
    assert_eq!(schema("cookie")["contentEncoding"], "base64");
}
