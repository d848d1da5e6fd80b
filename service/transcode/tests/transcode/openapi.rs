//! The description of the made-up library.

use serde_json::{Value, json};
use transcode::{Description, ErrorStatus, Operand, document};

use crate::pool;

fn library() -> Value {
    let error = |http, of| ErrorStatus { http, description: "No.".to_owned(), of };
    let description = Description {
        errors: vec![error(404, Operand::Any), error(415, Operand::Body)],
        ..Description::default()
    };
    document(pool::library(), &description)
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
    assert!(list["responses"].get("415").is_none(), "it takes no body");
    let parameters = names(list);
    for name in ["pageSize", "author.fullName", "author.mentor.fullName", "since", "genres", "ascending"] {
        assert!(parameters.contains(&("query", name)), "{name}: {parameters:?}");
    }
    assert!(!parameters.contains(&("query", "notes")), "a map has no place in a query");
    let items = &list["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(items["items"]["$ref"], "#/components/schemas/library.v1.Book");
}

#[test]
fn schemas_are_those_of_canonical_json() {
    let document = library();
    let schemas = &document["components"]["schemas"];
    let book = &schemas["library.v1.Book"];
    assert_eq!(book["required"], json!(["name", "title", "genre", "editors", "notes"]));
    assert_eq!(book["oneOf"].as_array().unwrap().len(), 3, "a colour, a picture, or neither");
    assert_eq!(book["additionalProperties"], false);
    assert_eq!(schemas["library.v1.Book.Input"].get("required"), None, "a request may leave out everything");
    let body = &schemas["library.v1.LendBookRequest"]["properties"];
    assert!(body.get("shelf").is_none() && body.get("days").is_some(), "the path gives the shelf");
    let list = document["paths"]["/v1/shelves/{shelf}/books"]["get"]["parameters"].as_array().unwrap();
    let schema = |name: &str| &list.iter().find(|one| one["name"] == name).unwrap()["schema"];
    assert_eq!(schema("after")["type"], "string", "64 bits");
    assert_eq!(schema("since")["format"], "date-time");
    assert_eq!(schema("signed")["type"], "boolean");
    assert_eq!(schema("cookie")["contentEncoding"], "base64");
}
