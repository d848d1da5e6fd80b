//! Comparison with Google's own runtime: the same JSON decodes to the same bytes, or both reject it.
//! `canonical/make.py` writes the golden file.

use std::fmt::Write;

use http::Method;
use prost_reflect::prost::Message;
use serde_json::Value;
use transcode::Routes;

use crate::pool::compile;

fn routes() -> Routes {
    let text = include_str!("everything.proto").replace(
        "import \"google/protobuf/any.proto\";",
        "import \"google/api/annotations.proto\";\nimport \"google/protobuf/any.proto\";",
    ) + "service Echo { rpc Echo(Everything) returns (Everything) {
             option (google.api.http) = {post: '/echo' body: '*'}; } }";
    Routes::from_pool(&compile("everything.proto", &text)).expect("the route is valid")
}

#[test]
fn bodies_are_canonical_proto_json() {
    let routes = routes();
    let echo = routes.find(&Method::POST, "/echo").unwrap();
    let golden = include_str!("golden.jsonl");
    assert!(golden.lines().count() > 80);
    for line in golden.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let json = case["json"].as_str().unwrap();
        let message = echo.request("", json.as_bytes());
        if case["refused"] == true {
            assert!(message.is_err(), "{json} was accepted as {message:?}");
            continue;
        }
        let message = message.unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(hex(&message.encode_to_vec()), case["bytes"], "{json}");
        assert_eq!(serde_json::to_value(&message).unwrap(), case["printed"], "{json}");
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string succeeds");
        text
    })
}
