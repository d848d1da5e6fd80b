//! Request bodies, and their merge with the path.

use http::Method;
use serde_json::{Value, json};
use transcode::{FieldProblem, RequestError};

use crate::pool;

const LEND: &str = "/v1/shelves/s/books/1:lend";

fn lend(body: &str) -> Result<Value, RequestError> {
    pool::request(&Method::POST, LEND, body)
}

fn rejected(body: &str) -> (String, FieldProblem) {
    pool::rejection(&Method::POST, LEND, body)
}

#[test]
fn a_whole_body_is_merged_with_the_path() {
    assert_eq!(
        lend(r#"{"days": 0, "book": {"title": "Emma"}}"#),
        Ok(json!({"shelf": "s", "genre": "GENRE_POEM", "days": 0, "book": {"title": "Emma"}}))
    );
}

#[test]
fn an_empty_body_means_no_fields() {
    assert_eq!(lend(""), lend("{}"));
    assert_eq!(pool::request(&Method::POST, "/v1/shelves/s/books", ""), Ok(json!({"shelf": "s"})));
}

#[test]
fn a_body_field_is_merged_with_path_and_query() {
    let request = pool::request(&Method::POST, "/v1/shelves/s/books?draft=true", r#"{"title": "Emma"}"#);
    assert_eq!(request, Ok(json!({"shelf": "s", "draft": true, "book": {"title": "Emma"}})));
    let request = pool::request(&Method::PATCH, "/v1/shelves/s/books/b", r#"{"title": "Emma"}"#);
    assert_eq!(request, Ok(json!({"book": {"name": "shelves/s/books/b", "title": "Emma"}})));
    let request = pool::request(&Method::PATCH, "/v1/shelves/s/books/b", "null");
    assert_eq!(request, Ok(json!({"book": {"name": "shelves/s/books/b"}})));
    assert_eq!(
        pool::request(&Method::PUT, "/v1/tags?force=true", r#"["a"]"#),
        Ok(json!({"tags": ["a"], "force": true}))
    );
}

#[test]
fn a_route_without_a_body_rejects_one() {
    assert_eq!(pool::request(&Method::GET, "/v1/books/x", "{}"), Err(RequestError::UnexpectedBody));
}

#[test]
fn the_body_must_not_contradict_the_path() {
    assert_eq!(lend(r#"{"shelf": "s", "genre": 1}"#), lend("{}"), "equal values are no contradiction");
    assert_eq!(rejected(r#"{"shelf": "t"}"#), ("shelf".to_owned(), FieldProblem::SetByPath));
    assert_eq!(rejected(r#"{"genre": 0}"#), ("genre".to_owned(), FieldProblem::SetByPath));
    assert_eq!(
        pool::rejection(&Method::PATCH, "/v1/shelves/s/books/b", r#"{"name": ""}"#),
        ("book.name".to_owned(), FieldProblem::SetByPath)
    );
    assert!(lend(r#"{"shelf": null}"#).is_ok(), "null means not set");
    let (field, _) = pool::invalid(&Method::PATCH, "/v1/shelves/s/books/b", "3");
    assert_eq!(field, "book.name");
}

#[test]
fn unknown_keys_are_rejected_with_their_path() {
    for (body, path, message) in [
        (r#"{"nope": 1}"#, "nope", "LendBookRequest"),
        (r#"{"nope": null}"#, "nope", "LendBookRequest"),
        (r#"{"book": {"author": {"age": 1}}}"#, "book.author.age", "Author"),
        (r#"{"more": [{}, {"editors": [{"x": 1}]}]}"#, "more[1].editors[0].x", "Author"),
    ] {
        let (field, problem) = rejected(body);
        assert_eq!(field, path, "{body}");
        assert!(
            matches!(problem, FieldProblem::Unknown { message: named, .. } if named == message),
            "{body}"
        );
    }
}

#[test]
fn duplicate_keys_are_rejected_with_their_path() {
    for (body, path) in [
        (r#"{"days": 1, "days": 1}"#, "days"),
        (r#"{"days": null, "days": 1}"#, "days"),
        (r#"{"more": [{"title": "a", "genre": 1, "title": "b"}]}"#, "more[0].title"),
        (r#"{"book": {"author": {"fullName": "a", "full_name": "b"}}}"#, "book.author.full_name"),
        (r#"{"book": {"author": {"fullName": null, "full_name": "b"}}}"#, "book.author.full_name"),
        (r#"{"book": {"notes": {"1": "a", "1": "b"}}}"#, "book.notes.1"),
    ] {
        assert_eq!(rejected(body), (path.to_owned(), FieldProblem::Duplicate), "{body}");
    }
}

#[test]
fn at_most_one_field_of_a_oneof_is_set() {
    let (field, problem) = rejected(r#"{"book": {"colour": "red", "picture": ""}}"#);
    assert_eq!(field, "book.picture");
    assert_eq!(problem, FieldProblem::OneofConflict { other: "colour".to_owned() });
    assert!(lend(r#"{"book": {"colour": "red", "picture": null}}"#).is_ok());
}

#[test]
fn invalid_values_name_their_path() {
    for (body, path) in [
        (r#"{"days": -1}"#, "days"),
        (r#"{"book": []}"#, "book"),
        (r#"{"book": {"genre": "POEM"}}"#, "book.genre"),
        (r#"{"more": {}}"#, "more"),
        (r#"{"more": [{}, null]}"#, "more[1]"),
        (r#"{"more": [{}, {"title": 3}]}"#, "more[1].title"),
        (r#"{"book": {"notes": {"01": "x"}}}"#, "book.notes.01"),
        (r#"{"book": {"notes": {"1": 2}}}"#, "book.notes.1"),
    ] {
        let (field, text) = pool::invalid(&Method::POST, LEND, body);
        assert_eq!(field, path, "{body}");
        assert!(!text.is_empty());
    }
}

#[test]
fn a_body_must_be_one_json_object_in_utf_8() {
    for body in ["{", "x", "{} {}", " ", "{'days': 1}", r#"{"days": 01}"#, r#"{"days": 1e999}"#] {
        assert!(matches!(lend(body), Err(RequestError::NotJson { .. })), "{body}");
    }
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(lend(&nested), Err(RequestError::NotJson { .. })));
    for body in ["[]", "null", "3", "\"\""] {
        assert_eq!(lend(body), Err(RequestError::NotAnObject), "{body}");
    }
    let matched = pool::library().find(&Method::POST, LEND).unwrap();
    let latin_1 = matched.request("", b"{\"book\": {\"title\": \"caf\xe9\"}}");
    assert!(matches!(latin_1, Err(RequestError::NotJson { .. })));
}

#[test]
fn errors_truncate_what_they_repeat() {
    let long = "x".repeat(10_000);
    let (field, _) = rejected(&format!(r#"{{"{long}": 1}}"#));
    assert!(field.len() < 300);
    let (_, text) = pool::invalid(
        &Method::POST,
        LEND,
        &format!(r#"{{"days": "{long}", "book": {{"genre": "{long}"}}}}"#),
    );
    assert!(text.len() < 300);
}
