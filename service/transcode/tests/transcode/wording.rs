//! The words of a refused value: what it must be, in the API's terms, never those of a parser.

use std::sync::LazyLock;

use http::Method;
use transcode::{RequestError, Routes};

use crate::pool;

const PROTO: &str = r#"
syntax = "proto3";
package wording;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
service Wording {
  rpc Put(All) returns (All) { option (google.api.http) = {post: "/v1/all" body: "*"}; }
  rpc Get(All) returns (All) { option (google.api.http) = {get: "/v1/all/{small}"}; }
}
enum Colour { COLOUR_UNSPECIFIED = 0; COLOUR_RED = 1; COLOUR_BLUE = 2; COLOUR_GREEN = 3; }
enum Only { ONLY_UNSPECIFIED = 0; ONLY_THIS = 1; }
message Texts { repeated string texts = 1; }
message Nothing {}
message All {
  optional uint32 small = 1 [(buf.validate.field).uint32.lte = 7];
  uint32 page_size = 2;
  int32 signed = 3;
  uint64 large = 4;
  int64 big = 5;
  double share = 6;
  bool follow = 7;
  string text = 8;
  bytes hash = 9;
  Colour colour = 10;
  Only only = 11;
  repeated Colour colours = 12;
  map<string, string> labels = 13;
  map<int32, bool> flags = 14;
  google.protobuf.Duration budget = 15 [
    (buf.validate.field).duration = {gte: {seconds: 1} lte: {seconds: 60}}
  ];
  google.protobuf.Duration pause = 16;
  google.protobuf.Timestamp since = 17;
  google.protobuf.FieldMask mask = 18;
  google.protobuf.Int32Value wrapped = 19;
  google.protobuf.Struct object = 20;
  All inner = 21;
  repeated All more = 22;
  Texts wrapper = 23;
  Nothing nothing = 24;
}
"#;

/// The fields of `All` after the first two.
const FIELDS: &str = "signed, large, big, share, follow, text, hash, colour, only, colours, labels, flags, \
                      budget, pause, since, mask, wrapped, object, inner, more, wrapper, nothing";

static ROUTES: LazyLock<Routes> = LazyLock::new(|| {
    Routes::from_pool(&pool::compile("wording.proto", PROTO)).expect("all routes are valid")
});

/// Returns the words with which a request is refused.
fn refusal(method: &Method, target: &str, body: &str) -> String {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match ROUTES.find(method, path).expect("the path has a route").request(query, body.as_bytes()) {
        Err(RequestError::Field(violation)) => violation.to_string(),
        other => panic!("{target} {body}: {other:?}"),
    }
}

#[test]
fn a_refused_value_in_a_body_is_told_what_it_must_be() {
    for (body, expected) in [
        (r#"{"small": "nine"}"#, "small: must be an integer from 0 to 7; `nine` is not"),
        (r#"{"small": -1}"#, "small: must be an integer from 0 to 7; `-1` is not"),
        (r#"{"pageSize": 1.5}"#, "pageSize: must be an integer from 0 to 4294967295; `1.5` is not"),
        (r#"{"page_size": []}"#, "pageSize: must be an integer from 0 to 4294967295"),
        (r#"{"signed": true}"#, "signed: must be an integer from -2147483648 to 2147483647; `true` is not"),
        (r#"{"large": 1e30}"#, "large: must be an integer from 0 to 18446744073709551615; `1e+30` is not"),
        (
            r#"{"big": "9223372036854775808"}"#,
            "big: must be an integer from -9223372036854775808 to 9223372036854775807; \
             `9223372036854775808` is not",
        ),
        (r#"{"share": "a lot"}"#, "share: must be a number; `a lot` is not"),
        (r#"{"share": "1e999"}"#, "share: must be a number; `1e999` is not"),
        (r#"{"follow": "yes"}"#, "follow: must be true or false; `yes` is not"),
        (r#"{"follow": 1}"#, "follow: must be true or false; `1` is not"),
        // What may be a secret is not repeated.
        (r#"{"text": 12345}"#, "text: must be a string in double quotes"),
        (r#"{"hash": "*secret*"}"#, "hash: must be bytes in base64, such as \"AQID\""),
        (r#"{"colour": "red"}"#, "colour: must be COLOUR_RED, COLOUR_BLUE or COLOUR_GREEN; `red` is not"),
        (r#"{"only": "ONLY_THAT"}"#, "only: must be ONLY_THIS; `ONLY_THAT` is not"),
        (
            r#"{"colours": ["COLOUR_RED", "x"]}"#,
            "colours[1]: must be COLOUR_RED, COLOUR_BLUE or COLOUR_GREEN; `x` is not",
        ),
        (
            r#"{"colours": "COLOUR_RED"}"#,
            "colours: must be a list, each COLOUR_RED, COLOUR_BLUE or COLOUR_GREEN",
        ),
        (r#"{"labels": {"a.b": 3}}"#, "labels.a.b: must be a string in double quotes"),
        (r#"{"labels": []}"#, "labels: must be a JSON object, each value a string in double quotes"),
        (
            r#"{"flags": {"01": true}}"#,
            "flags.01: as a key it must be an integer from -2147483648 to 2147483647 without leading zeros; \
             `01` is not",
        ),
        (r#"{"flags": {"1": "maybe"}}"#, "flags.1: must be true or false; `maybe` is not"),
        (
            r#"{"budget": "300"}"#,
            "budget: must be a duration in seconds with the unit, such as \"2.5s\", at least \"1s\", at most \
             \"60s\"; `300` is not",
        ),
        (
            r#"{"pause": 300}"#,
            "pause: must be a duration in seconds with the unit, such as \"2.5s\"; `300` is not",
        ),
        (
            r#"{"since": "yesterday"}"#,
            "since: must be a time as in RFC 3339, such as \"2026-11-23T12:00:00Z\"; `yesterday` is not",
        ),
        (r#"{"mask": 3}"#, "mask: must be names of fields in JSON spelling, with commas between them"),
        (r#"{"wrapped": "x"}"#, "wrapped: must be an integer from -2147483648 to 2147483647; `x` is not"),
        (r#"{"object": 3}"#, "object: must be a JSON object"),
        (r#"{"inner": "x"}"#, "inner: must be a JSON object with the fields small, pageSize, FIELDS"),
        (
            r#"{"inner": {"inner": {"small": 8.5}}}"#,
            "inner.inner.small: must be an integer from 0 to 7; `8.5` is not",
        ),
        (r#"{"more": [{}, 3]}"#, "more[1]: must be a JSON object with the fields small, pageSize, FIELDS"),
        (
            r#"{"more": {}}"#,
            "more: must be a list, each a JSON object with the fields small, pageSize, FIELDS",
        ),
        (r#"{"wrapper": ["x"]}"#, "wrapper: must be a JSON object with the field texts"),
        (r#"{"nothing": 1}"#, "nothing: must be an empty JSON object"),
        (r#"{"more": [{"only": ""}]}"#, "more[0].only: must be ONLY_THIS; `` is not"),
    ] {
        assert_eq!(refusal(&Method::POST, "/v1/all", body), expected.replace("FIELDS", FIELDS), "{body}");
    }
}

#[test]
fn a_refused_parameter_is_told_what_it_must_be() {
    for (target, expected) in [
        ("x", "small: must be an integer from 0 to 7; `x` is not"),
        ("1?pageSize=ten", "pageSize: must be an integer from 0 to 4294967295; `ten` is not"),
        ("1?page_size=+", "pageSize: must be an integer from 0 to 4294967295; ` ` is not"),
        ("1?pageSize=1&pageSize=2", "pageSize: set more than once; send it once"),
        ("1?pageSize=1&page_size=2", "pageSize: set more than once; send it once"),
        ("1?follow=TRUE", "follow: must be true or false; `TRUE` is not"),
        ("1?colour=red", "colour: must be COLOUR_RED, COLOUR_BLUE or COLOUR_GREEN; `red` is not"),
        (
            "1?colours=COLOUR_RED&colours=red",
            "colours[1]: must be COLOUR_RED, COLOUR_BLUE or COLOUR_GREEN; `red` is not",
        ),
        (
            "1?since=today",
            "since: must be a time as in RFC 3339, such as \"2026-11-23T12:00:00Z\"; `today` is not",
        ),
        (
            "1?inner.pause=5",
            "inner.pause: must be a duration in seconds with the unit, such as \"2.5s\"; `5` is not",
        ),
        ("1?hash=%25", "hash: must be bytes in base64, such as \"AQID\""),
    ] {
        let refusal = refusal(&Method::GET, &format!("/v1/all/{target}"), "");
        assert_eq!(refusal, expected, "{target}");
    }
}

#[test]
fn a_long_value_is_not_repeated() {
    let long = "x".repeat(500);
    let refusal = refusal(&Method::POST, "/v1/all", &format!(r#"{{"follow": "{long}"}}"#));
    assert_eq!(refusal, "follow: must be true or false");
}
