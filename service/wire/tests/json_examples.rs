//! The JSON examples of `docs/api.md` are messages of the contract. A comment before each names its message.

use prost_reflect::DynamicMessage;
use wire::DESCRIPTORS;

/// Returns the examples of the page: the message's name, and the JSON.
fn examples(page: &str) -> Vec<(&str, &str)> {
    let mut rest = page;
    let mut examples = Vec::new();
    while let Some((before, after)) = rest.split_once("```json\n") {
        let (json, after) = after.split_once("```").expect("the block has an end");
        let line = before.lines().last().unwrap_or_default();
        let name = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
        examples.push((name.unwrap_or_else(|| panic!("no comment names the message of {json}")), json));
        rest = after;
    }
    examples
}

/// Reads an example strictly: unknown names and wrong types are errors.
fn read(name: &str, json: &str) -> Result<DynamicMessage, serde_json::Error> {
    let message = DESCRIPTORS.get_message_by_name(&format!("matchbook.v1.{name}"));
    let message = message.unwrap_or_else(|| panic!("there is no message {name}"));
    DynamicMessage::deserialize(message, &mut serde_json::Deserializer::from_str(json))
}

#[test]
fn every_example_of_the_page_is_a_message_of_the_contract() {
    let examples = examples(include_str!("../../../docs/api.md"));
    assert!(examples.len() >= 5, "{examples:?}");
    for (name, json) in examples {
        let message = read(name, json).unwrap_or_else(|error| panic!("{name}: {error} in {json}"));
        assert!(message.fields().count() > 0, "{json} says nothing");
    }
}

#[test]
fn an_example_with_an_unknown_name_would_be_found() {
    assert!(read("SubmitMoveRequest", r#"{"notation": "b1-b2"}"#).is_ok());
    assert!(read("SubmitMoveRequest", r#"{"notation": "b1-b2", "forced": true}"#).is_err());
    assert!(read("Clocks", r#"{"seats": [{"remaining": 300}]}"#).is_err());
}
