//! Arbitrary input never panics, and accepted input round-trips.

use http::Method;
use proptest::prelude::*;
use serde_json::Value;
use transcode::Template;

use crate::pool::library;

/// Generates texts from pieces that are significant to some parser.
fn pieces(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => prop::sample::select(pieces).prop_map(str::to_owned), 1 => ".{0,3}"];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

fn template() -> impl Strategy<Value = String> {
    pieces(&["/", "/", "{", "}", "=", "*", "**", ":", ".", "a", "name", "v1", "%41", "\u{e9}"])
}

fn path() -> impl Strategy<Value = String> {
    pieces(&[
        "/", "/", "/v1", "/shelves", "/books", "/files", ":lend", ":", "%2F", "%", "%C3", "%A9", "%00", "x",
        "..",
    ])
}

fn query() -> impl Strategy<Value = String> {
    pieces(&[
        "&",
        "=",
        "pageSize",
        "page_size",
        "author",
        ".",
        "mentor",
        "fullName",
        "genres",
        "GENRE_POEM",
        "-1",
        "1e9",
        "NaN",
        "%2e",
        "%",
        "+",
        "cookie",
        "since",
        "ascending",
        "notes",
        "true",
        "lent",
    ])
}

/// Generates JSON whose keys are mostly names of fields, with values of any type.
fn body() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u8>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec!["GENRE_POEM", "AAE=", "7", ""]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let names = [
            "days", "book", "more", "title", "genre", "author", "editors", "notes", "colour", "picture", "1",
        ];
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            4 => prop::collection::btree_map(prop::sample::select(names.to_vec()), inner, 0..4)
                .prop_map(|object| object.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_templates_do_not_panic(text in template()) {
        if let Ok(template) = Template::parse(&text) {
            prop_assert_eq!(template.to_string(), text);
            let segments = template.segments().len();
            let mut covered = template.variables().iter().map(|variable| &variable.segments);
            prop_assert!(covered.all(|range| !range.is_empty() && range.end <= segments));
        }
    }

    #[test]
    fn arbitrary_paths_do_not_panic(text in path()) {
        if let Ok(matched) = library().find(&Method::GET, &text) {
            prop_assert_eq!(matched.bindings().len(), matched.route().variables().len());
        }
    }

    #[test]
    fn arbitrary_queries_do_not_panic(text in query()) {
        let matched = library().find(&Method::GET, "/v1/shelves/s/books").unwrap();
        if let Ok(message) = matched.request(&text, b"") {
            prop_assert!(message.has_field_by_name("shelf"));
        }
    }

    #[test]
    fn accepted_bodies_round_trip(body in body()) {
        let matched = library().find(&Method::POST, "/v1/shelves/s/books/2:lend").unwrap();
        if let Ok(message) = matched.request("", body.to_string().as_bytes()) {
            // The JSON of the message is canonical, so it round-trips, except for the fields that the path
            // sets.
            let mut json = serde_json::to_value(&message).unwrap();
            json.as_object_mut().unwrap().retain(|key, _| key != "shelf" && key != "genre");
            let again = matched.request("", json.to_string().as_bytes());
            // Compare JSON, since messages with recursive types cannot be printed when they differ.
            let again = again.map(|again| serde_json::to_string(&again).unwrap());
            prop_assert_eq!(again, Ok(serde_json::to_string(&message).unwrap()), "body {}", body);
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let matched = library().find(&Method::POST, "/v1/shelves/s/books").unwrap();
        let _ = matched.request("", &bytes);
    }

    #[test]
    fn variables_decode_what_was_percent_encoded(text in ".{1,20}") {
        let escaped: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let path = format!("/v1/books/{escaped}");
        let matched = library().find(&Method::GET, &path).unwrap();
        prop_assert_eq!(&matched.bindings()[0].value, &text);
    }
}
