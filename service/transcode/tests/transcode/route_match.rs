//! Finding the route of a method and a path, with its variables.

use http::Method;
use transcode::{EscapeError, MAX_PATH_BYTES, MAX_SEGMENTS, MatchError};

use crate::pool::library;

/// Returns the RPC's name and its variables, as `name: field=value`.
fn found(method: &Method, path: &str) -> String {
    let matched = library().find(method, path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let bindings: Vec<_> =
        matched.bindings().iter().map(|binding| format!("{}={}", binding.field, binding.value)).collect();
    format!("{}: {}", matched.route().rpc().name(), bindings.join(" "))
}

fn rejected(method: &Method, path: &str) -> MatchError {
    library().find(method, path).map(|matched| matched.route().clone()).expect_err(path)
}

#[test]
fn variables_capture_their_segments() {
    assert_eq!(found(&Method::GET, "/v1/books/emma"), "GetBook: name=emma");
    assert_eq!(found(&Method::GET, "/v1/shelves/a/books/b"), "GetBook: name=shelves/a/books/b");
    assert_eq!(found(&Method::PATCH, "/v1/shelves/a/books/b"), "UpdateBook: book.name=shelves/a/books/b");
    assert_eq!(found(&Method::GET, "/v1/shelves/a/books"), "ListBooks: shelf=a");
    assert_eq!(found(&Method::POST, "/v1/shelves/a/books"), "CreateBook: shelf=a");
    assert_eq!(found(&Method::GET, "/v1/files/a/b/c"), "GetFile: path=a/b/c");
    assert_eq!(found(&Method::GET, "/v1/files"), "GetFile: path=");
}

#[test]
fn the_more_specific_route_wins() {
    assert_eq!(found(&Method::GET, "/v1/files/index"), "GetIndex: ");
    assert_eq!(found(&Method::GET, "/v1/files/index/x"), "GetFile: path=index/x");
}

#[test]
fn a_colon_begins_a_verb_only_if_a_route_has_that_verb() {
    assert_eq!(
        found(&Method::POST, "/v1/shelves/a/books/GENRE_POEM:lend"),
        "LendBook: shelf=a genre=GENRE_POEM"
    );
    assert_eq!(found(&Method::GET, "/v1/books/a:b"), "GetBook: name=a:b");
    assert_eq!(found(&Method::GET, "/v1/books/a%3Alend"), "GetBook: name=a:lend");
    assert_eq!(rejected(&Method::GET, "/v1/books/a:lend"), MatchError::NotFound);
    assert_eq!(found(&Method::GET, "/v1/shelves/a:lend/books"), "ListBooks: shelf=a:lend");
}

#[test]
fn a_custom_kind_can_match_any_method() {
    for method in [Method::GET, Method::DELETE, Method::from_bytes(b"FROB").unwrap()] {
        assert_eq!(found(&method, "/v1/ask"), "Ask: ");
    }
}

#[test]
fn escapes_are_decoded() {
    assert_eq!(found(&Method::GET, "/v1/books/caf%C3%A9%20+%25"), "GetBook: name=caf\u{e9} +%");
    assert_eq!(found(&Method::GET, "/v1/%62ooks/x"), "GetBook: name=x");
    // Escaped slashes are decoded in a single-segment variable, but stay escaped in a multi-segment one.
    assert_eq!(found(&Method::GET, "/v1/books/a%2Fb"), "GetBook: name=a/b");
    assert_eq!(found(&Method::GET, "/v1/files/a%2Fb/%2f%41"), "GetFile: path=a%2Fb/%2fA");
    assert_eq!(found(&Method::GET, "/v1/files/a%252Fb"), "GetFile: path=a%2Fb");
}

#[test]
fn invalid_escapes_are_rejected_anywhere_in_a_path() {
    for path in ["/v1/books/%", "/v1/books/%4", "/v1/books/%4g", "/v1/books/%%41", "/nowhere/%zz"] {
        assert_eq!(rejected(&Method::GET, path), MatchError::BadPath(EscapeError::Malformed), "{path}");
    }
    for path in ["/v1/books/%ff", "/v1/books/%C3", "/v1/files/%C3%2F%A9", "/v1/books/%ED%A0%80"] {
        assert_eq!(rejected(&Method::GET, path), MatchError::BadPath(EscapeError::NotUtf8), "{path}");
    }
}

#[test]
fn paths_without_a_route_are_not_found() {
    for path in [
        "",
        "*",
        "/",
        "/v1",
        "/v2/books/x",
        "/v1/books",
        "/v1/books/",
        "/v1//x",
        "//v1/books/x",
        "/v1/files/a//b",
    ] {
        assert_eq!(rejected(&Method::GET, path), MatchError::NotFound, "{path}");
    }
}

#[test]
fn an_unknown_custom_method_is_not_found_and_a_known_one_may_lack_the_method() {
    let find = |method: Method, path: &str| library().find(&method, path).map(drop);
    let unknown =
        |verb: &str| Err(MatchError::UnknownVerb { verb: verb.to_owned(), custom_methods: Vec::new() });
    assert_eq!(find(Method::POST, "/v1/books/b:burn"), unknown("burn"));
    assert_eq!(find(Method::PATCH, "/v1/books/a:b:c2"), unknown("c2"));
    assert!(matches!(find(Method::POST, "/v1/books/b"), Err(MatchError::MethodNotAllowed { .. })));
    assert!(matches!(find(Method::POST, "/v1/books/b%3Aburn"), Err(MatchError::MethodNotAllowed { .. })));
    assert!(matches!(find(Method::POST, "/v1/books/b:"), Err(MatchError::MethodNotAllowed { .. })));
    let lend = "/v1/shelves/s/books/1:lend";
    assert_eq!(find(Method::GET, lend), Err(MatchError::MethodNotAllowed { allow: vec![Method::POST] }));
    // What reads may name a resource whose ID has a colon.
    assert_eq!(find(Method::GET, "/v1/books/b:burn"), Ok(()));
}

#[test]
fn an_unknown_custom_method_of_a_resource_with_others_names_these_for_every_method() {
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let error = rejected(&method, "/v1/shelves/a/books/b:burn");
        assert_eq!(error.to_string(), "there is no custom method `:burn` at this path; it has POST :lend");
    }
    // An escaped colon belongs to the ID.
    assert_eq!(found(&Method::GET, "/v1/shelves/a/books/b%3Aburn"), "GetBook: name=shelves/a/books/b:burn");
}

#[test]
fn the_error_for_a_wrong_method_lists_the_allowed_ones() {
    let allowed = |path: &str| rejected(&Method::DELETE, path);
    let only = |allow: &[Method]| MatchError::MethodNotAllowed { allow: allow.to_vec() };
    assert_eq!(allowed("/v1/shelves/a/books"), only(&[Method::GET, Method::POST]));
    assert_eq!(allowed("/v1/shelves/a/books/b"), only(&[Method::GET, Method::PATCH]));
    assert_eq!(allowed("/v1/files/index"), only(&[Method::GET]));
    assert_eq!(allowed("/v1/shelves/a/books/b:lend"), only(&[Method::POST]));
}

#[test]
fn long_paths_are_rejected() {
    let at_most = format!("/v1/books/{}", "x".repeat(MAX_PATH_BYTES - 10));
    assert!(library().find(&Method::GET, &at_most).is_ok());
    let longer = format!("{at_most}x");
    assert_eq!(rejected(&Method::GET, &longer), MatchError::PathTooLong { limit: MAX_PATH_BYTES });
    let at_most = format!("/v1/files{}", "/x".repeat(MAX_SEGMENTS - 2));
    assert!(library().find(&Method::GET, &at_most).is_ok());
    let more = format!("{at_most}/x");
    assert_eq!(rejected(&Method::GET, &more), MatchError::TooManySegments { limit: MAX_SEGMENTS });
}
