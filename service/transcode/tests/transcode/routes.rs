//! The table of routes, and every kind of error in annotations.

use transcode::{Body, FieldPathError, RouteError, RouteProblem, Routes, RuleError};

use crate::pool::{annotated, compile, library};

fn problems(rules: &[&str]) -> Vec<RouteProblem> {
    let errors = Routes::from_pool(&annotated(rules)).expect_err("the rules are invalid");
    errors.into_iter().map(|error| error.problem).collect()
}

fn unknown(field: &str) -> RouteProblem {
    RouteProblem::NoSuchField { field: field.to_owned(), error: FieldPathError::Unknown }
}

#[test]
fn the_table_has_every_binding_and_no_unannotated_rpc() {
    let mut table: Vec<_> = library()
        .iter()
        .map(|route| format!("{} {} {}", route.rpc().name(), route.http_method(), route.template()))
        .collect();
    table.sort();
    assert_eq!(
        table,
        [
            "Ask * /v1/ask",
            "CreateBook POST /v1/shelves/{shelf}/books",
            "GetBook GET /v1/books/{name}",
            "GetBook GET /v1/{name=shelves/*/books/*}",
            "GetFile GET /v1/files/{path=**}",
            "GetIndex GET /v1/files/index",
            "LendBook POST /v1/shelves/{shelf}/books/{genre}:lend",
            "ListBooks GET /v1/shelves/{shelf}/books",
            "Tag PUT /v1/tags",
            "UpdateBook PATCH /v1/{book.name=shelves/*/books/*}",
        ]
    );
}

#[test]
fn bodies_are_resolved() {
    let route = |rpc: &str| library().iter().find(|route| route.rpc().name() == rpc).unwrap();
    assert_eq!(*route("GetBook").body(), Body::None);
    assert_eq!(*route("LendBook").body(), Body::Whole);
    assert!(matches!(route("CreateBook").body(), Body::Field(field) if field.name() == "book"));
    assert_eq!(route("ListBooks").response_body().unwrap().name(), "books");
    assert!(route("GetBook").response_body().is_none());
}

#[test]
fn a_pool_without_annotations_has_no_routes() {
    let pool = compile("bare.proto", "syntax = \"proto3\"; message A {} service S { rpc R(A) returns (A); }");
    assert_eq!(Routes::from_pool(&pool).unwrap().iter().count(), 0);
}

#[test]
fn unknown_fields_are_reported() {
    assert_eq!(problems(&["get: '/{nope}'"]), [unknown("nope")]);
    assert_eq!(problems(&["get: '/{inner.nope}'"]), [unknown("inner.nope")]);
    assert_eq!(problems(&["post: '/x' body: 'nope'"]), [unknown("nope")]);
    assert_eq!(problems(&["get: '/x' response_body: 'nope'"]), [unknown("nope")]);
    // Only a top-level field of the request can be the body.
    assert_eq!(problems(&["post: '/x' body: 'inner.text'"]), [unknown("inner.text")]);
    let through = |field: &str| RouteProblem::NoSuchField {
        field: field.to_owned(),
        error: FieldPathError::NotAMessage,
    };
    assert_eq!(problems(&["get: '/{id.text}'"]), [through("id.text")]);
    assert_eq!(problems(&["get: '/{map.key}'"]), [through("map.key")]);
}

#[test]
fn variables_must_be_scalars() {
    for field in ["inner", "many", "map"] {
        let rule = format!("get: '/{{{field}}}'");
        assert_eq!(problems(&[&rule]), [RouteProblem::NotAScalar(field.to_owned())]);
    }
}

#[test]
fn nothing_is_bound_twice() {
    let twice = [RouteProblem::BoundTwice("id".to_owned())];
    assert_eq!(problems(&["get: '/{id}/{id}'"]), twice);
    assert_eq!(problems(&["post: '/{id}' body: 'id'"]), twice);
}

#[test]
fn invalid_rules_are_reported() {
    assert_eq!(problems(&[""]), [RouteProblem::Rule(RuleError::NoPattern)]);
    assert_eq!(problems(&["body: '*'"]), [RouteProblem::Rule(RuleError::NoPattern)]);
    assert_eq!(
        problems(&["custom { kind: 'A B' path: '/x' }"]),
        [RouteProblem::Rule(RuleError::BadMethod("A B".to_owned()))]
    );
    assert_eq!(
        problems(&["get: '/x' additional_bindings { get: '/y' additional_bindings { get: '/z' } }"]),
        [RouteProblem::Rule(RuleError::NestedBindings)]
    );
    assert!(matches!(problems(&["get: 'x'"])[..], [RouteProblem::Template { .. }]));
    assert_eq!(problems(&["get: '/x' body: '*'"]), [RouteProblem::GetWithBody]);
}

#[test]
fn client_streaming_rpcs_have_no_route() {
    let text = "syntax = \"proto3\"; import \"google/api/annotations.proto\"; message A {}
        service S { rpc R(stream A) returns (A) { option (google.api.http) = {post: '/x' body: '*'}; } }";
    let errors = Routes::from_pool(&compile("stream.proto", text)).unwrap_err();
    assert_eq!(errors, [RouteError { rpc: "S.R".to_owned(), problem: RouteProblem::ClientStreaming }]);
}

#[test]
fn ambiguous_routes_conflict() {
    for pair in [
        ["get: '/a/{id}'", "get: '/a/{inner.text}'"],
        ["get: '/a/*'", "get: '/*/b'"],
        ["get: '/a/**'", "get: '/a/{id=**}'"],
        ["get: '/a/*/c'", "get: '/a/b/**'"],
        ["get: '/a:go'", "get: '/a:go'"],
        ["get: '/a'", "custom { kind: '*' path: '/a' }"],
        ["get: '/a'", "custom { kind: 'GET' path: '/a' }"],
    ] {
        let found = problems(&pair);
        assert!(matches!(found[..], [RouteProblem::Conflict { .. }]), "{pair:?}: {found:?}");
    }
}

#[test]
fn distinguishable_routes_do_not_conflict() {
    for pair in [
        ["get: '/a/{id}'", "get: '/a/b'"],
        ["get: '/a/{id}'", "post: '/a/{id}'"],
        ["get: '/a/*'", "get: '/a/*/b'"],
        ["get: '/a/**'", "get: '/a/b/*'"],
        ["get: '/a/**'", "get: '/a'"],
        ["get: '/a/*:go'", "get: '/a/*:stop'"],
        ["get: '/a/*:go'", "get: '/a/*'"],
    ] {
        assert!(Routes::from_pool(&annotated(&pair)).is_ok(), "{pair:?}");
    }
}

#[test]
fn all_errors_are_reported_at_once() {
    let errors =
        Routes::from_pool(&annotated(&["get: '/{nope}'", "get: '/x'", "get: '/x'", ""])).unwrap_err();
    let rpcs: Vec<_> = errors.iter().map(|error| error.rpc.as_str()).collect();
    assert_eq!(rpcs, ["wrong.Wrong.Rpc0", "wrong.Wrong.Rpc3", "wrong.Wrong.Rpc2"]);
    assert_eq!(errors[2].to_string(), "wrong.Wrong.Rpc2: GET /x conflicts with /x of wrong.Wrong.Rpc1");
}
