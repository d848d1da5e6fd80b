//! Parsing of path templates.

use transcode::Segment::{CatchAll, Literal, Wildcard};
use transcode::{Segment, Template, TemplateError};

fn segments(text: &str) -> Vec<Segment> {
    Template::parse(text).expect("the template parses").segments().to_vec()
}

fn literal(text: &str) -> Segment {
    Literal(text.to_owned())
}

#[test]
fn all_kinds_of_segments_are_parsed() {
    assert_eq!(segments("/v1"), [literal("v1")]);
    assert_eq!(segments("/v1/*/x-y.z_~/**"), [literal("v1"), Wildcard, literal("x-y.z_~"), CatchAll]);
    assert_eq!(segments("/{a}/{b.c=*}"), [Wildcard, Wildcard]);
    assert_eq!(
        segments("/{name=shelves/*/books/**}"),
        [literal("shelves"), Wildcard, literal("books"), CatchAll]
    );
}

#[test]
fn variables_have_a_field_and_a_range_of_segments() {
    let template = Template::parse("/v1/{a}/x/{b.c_1=y/*}:go").unwrap();
    let variables: Vec<_> =
        template.variables().iter().map(|v| (v.field.as_str(), v.segments.clone())).collect();
    assert_eq!(variables, [("a", 1..2), ("b.c_1", 3..5)]);
    assert_eq!(template.verb(), Some("go"));
    assert_eq!(template.to_string(), "/v1/{a}/x/{b.c_1=y/*}:go");
}

#[test]
fn errors_have_a_position() {
    for (text, at) in [
        ("", 0),
        ("v1", 0),
        ("/", 1),
        ("/v1/", 4),
        ("/v1//x", 4),
        ("/v1:", 4),
        ("/v1:a:b", 5),
        ("/v1:a/b", 5),
        ("/v1 ", 3),
        ("/v%31", 2),
        ("/caf\u{e9}", 4),
        ("/{", 2),
        ("/{}", 2),
        ("/{1a}", 2),
        ("/{a.}", 4),
        ("/{a", 3),
        ("/{a=}", 4),
        ("/{a=*", 5),
        ("/{a}b", 4),
        ("/a*", 2),
        ("/***", 3),
        ("/a}", 2),
        ("/v1?x", 3),
    ] {
        match Template::parse(text) {
            Err(TemplateError::Unexpected { at: found, .. }) => assert_eq!(found, at, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn variables_cannot_be_nested() {
    assert_eq!(Template::parse("/{a={b}}"), Err(TemplateError::NestedVariable { at: 4 }));
}

#[test]
fn a_catch_all_must_be_last() {
    for text in ["/**/a", "/{a=**}/b", "/{a=**/b}", "/**/**"] {
        assert_eq!(Template::parse(text), Err(TemplateError::CatchAllNotLast), "{text}");
    }
    assert!(Template::parse("/{a=b/**}:go").is_ok());
}
