//! Query parameters and path variables.

use http::Method;
use serde_json::{Value, json};
use transcode::{EscapeError, FieldProblem, MAX_QUERY_BYTES, MAX_QUERY_PAIRS, RequestError};

use crate::pool;

fn list(query: &str) -> Value {
    let mut request =
        pool::request(&Method::GET, &target(query), "").unwrap_or_else(|error| panic!("{query}: {error}"));
    let shelf = request.as_object_mut().expect("a message is an object").remove("shelf");
    assert_eq!(shelf, Some(json!("s")));
    request
}

fn rejected(query: &str) -> (String, FieldProblem) {
    pool::rejection(&Method::GET, &target(query), "")
}

fn target(query: &str) -> String {
    format!("/v1/shelves/s/books?{query}")
}

#[test]
fn both_names_of_a_field_are_accepted() {
    assert_eq!(list("pageSize=3"), json!({"pageSize": 3}));
    assert_eq!(list("page_size=3"), json!({"pageSize": 3}));
}

#[test]
fn values_of_all_kinds_are_parsed() {
    assert_eq!(list("lent=true"), json!({"lent": true}));
    assert_eq!(list("after=-9223372036854775808"), json!({"after": "-9223372036854775808"}));
    assert_eq!(list("after=0"), json!({"after": "0"}));
    assert_eq!(list("weight=-1.5e3"), json!({"weight": -1500.0}));
    assert_eq!(list("weight=NaN"), json!({"weight": "NaN"}));
    assert_eq!(list("cookie=_-8"), json!({"cookie": "/+8="}));
    assert_eq!(list("cookie=%2F%2B8%3D"), json!({"cookie": "/+8="}));
    assert_eq!(list("since=2024-02-29T12:00:00Z"), json!({"since": "2024-02-29T12:00:00Z"}));
    assert_eq!(list("signed=false"), json!({"signed": false}));
    assert_eq!(
        list("genres=GENRE_POEM&genres=2&genres=77"),
        json!({"genres": ["GENRE_POEM", "GENRE_NOVEL", 77]})
    );
}

#[test]
fn dots_lead_to_fields_of_messages() {
    assert_eq!(
        list("author.full_name=Jane&author.mentor.fullName=Fanny"),
        json!({"author": {"fullName": "Jane", "mentor": {"fullName": "Fanny"}}})
    );
}

#[test]
fn names_and_values_are_decoded() {
    assert_eq!(list("author%2Efull%5Fname=a+b%2Bc%26"), json!({"author": {"fullName": "a b+c&"}}));
    assert_eq!(list("&ascending=a=b&"), json!({"ascending": "a=b"}));
    assert_eq!(list("ascending"), json!({"ascending": ""}));
    for (query, error) in [("ascending=%4", EscapeError::Malformed), ("%ff=1", EscapeError::NotUtf8)] {
        assert_eq!(pool::request(&Method::GET, &target(query), ""), Err(RequestError::BadQuery(error)));
    }
}

#[test]
fn invalid_values_name_their_field() {
    for (query, field) in [
        ("page_size=-1", "pageSize"),
        ("pageSize=4294967296", "pageSize"),
        ("pageSize=1.5", "pageSize"),
        ("pageSize=", "pageSize"),
        ("after=9223372036854775808", "after"),
        ("weight=inf", "weight"),
        ("weight=1e999", "weight"),
        ("weight=x", "weight"),
        ("lent=1", "lent"),
        ("lent=TRUE", "lent"),
        ("cookie=*", "cookie"),
        ("genres=GENRE_POEM&genres=POEM", "genres[1]"),
        ("genres=99999999999", "genres[0]"),
        ("since=yesterday", "since"),
        ("signed=maybe", "signed"),
    ] {
        let (found, text) = pool::invalid(&Method::GET, &target(query), "");
        assert_eq!(found, field, "{query}");
        assert!(!text.is_empty());
    }
}

#[test]
fn unknown_parameters_are_rejected_by_name() {
    for (name, message, known) in [
        ("nope", "ListBooksRequest", "shelf, pageSize, "),
        ("", "ListBooksRequest", "shelf, pageSize, "),
        ("author.nope", "Author", "fullName"),
        ("author.", "Author", "fullName"),
        (".author", "ListBooksRequest", "shelf, pageSize, "),
    ] {
        let (field, problem) = rejected(&format!("{name}=1"));
        let text = problem.to_string();
        assert_eq!(field, name);
        assert!(text.starts_with(&format!("there is no such field in {message}; it has: {known}")), "{text}");
    }
    for name in ["lent.x", "since.seconds", "editors.fullName", "notes.x"] {
        assert_eq!(rejected(&format!("{name}=1")), (name.to_owned(), FieldProblem::NotAMessage));
    }
}

#[test]
fn messages_and_maps_are_not_parameters() {
    assert_eq!(rejected("notes=x"), ("notes".to_owned(), FieldProblem::Map));
    for name in ["author", "editors"] {
        let (field, problem) = rejected(&format!("{name}=x"));
        assert_eq!(field, name);
        assert!(
            problem.to_string().starts_with("set one of its fields")
                && problem.to_string().contains("fullName")
        );
    }
}

#[test]
fn a_singular_field_is_set_once() {
    assert_eq!(rejected("pageSize=1&page_size=1"), ("pageSize".to_owned(), FieldProblem::Duplicate));
    assert_eq!(
        rejected("author.fullName=a&author.fullName=b"),
        ("author.fullName".to_owned(), FieldProblem::Duplicate)
    );
    assert_eq!(
        rejected("ascending=a&descending=b"),
        ("descending".to_owned(), FieldProblem::OneofConflict { other: "ascending".to_owned() })
    );
}

#[test]
fn fields_of_path_and_body_are_not_parameters() {
    assert_eq!(rejected("shelf=s"), ("shelf".to_owned(), FieldProblem::SetByPath));
    let post = |target: &str| pool::rejection(&Method::POST, target, "{}");
    assert_eq!(post("/v1/shelves/s/books?book.title=x"), ("book.title".to_owned(), FieldProblem::BodyOnly));
    assert_eq!(post("/v1/shelves/s/books/1:lend?days=3"), ("days".to_owned(), FieldProblem::BodyOnly));
    assert_eq!(post("/v1/shelves/s/books/1:lend?genre=1"), ("genre".to_owned(), FieldProblem::SetByPath));
}

#[test]
fn a_query_has_limits() {
    let deep = |depth: usize| format!("author{}.fullName", ".mentor".repeat(depth - 2));
    assert!(list(&format!("{}=x", deep(8))).is_object());
    assert_eq!(rejected(&format!("{}=x", deep(9))), (deep(9), FieldProblem::TooDeep { limit: 8 }));

    let many = vec!["genres=1"; MAX_QUERY_PAIRS].join("&");
    assert_eq!(list(&many)["genres"].as_array().unwrap().len(), MAX_QUERY_PAIRS);
    assert_eq!(
        pool::request(&Method::GET, &target(&format!("{many}&lent=true")), ""),
        Err(RequestError::TooManyParameters { limit: MAX_QUERY_PAIRS })
    );

    let long = format!("ascending={}", "x".repeat(MAX_QUERY_BYTES - 10));
    assert!(list(&long).is_object());
    assert_eq!(
        pool::request(&Method::GET, &target(&format!("{long}x")), ""),
        Err(RequestError::QueryTooLong { limit: MAX_QUERY_BYTES })
    );
}

#[test]
fn path_variables_are_parsed_by_their_type() {
    let request = pool::request(&Method::POST, "/v1/shelves/s/books/GENRE_NOVEL:lend", "").unwrap();
    assert_eq!(request, json!({"shelf": "s", "genre": "GENRE_NOVEL"}));
    let request = pool::request(&Method::POST, "/v1/shelves/s/books/1:lend", "").unwrap();
    assert_eq!(request, json!({"shelf": "s", "genre": "GENRE_POEM"}));
    let (field, text) = pool::invalid(&Method::POST, "/v1/shelves/s/books/thriller:lend", "");
    assert_eq!((field.as_str(), text.contains("thriller")), ("genre", true));
}
