//! Messages as canonical ProtoJSON: lowerCamelCase, fields with default values included, on one line.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};

/// Returns a message of `matchbook.v1` as one line of JSON, without the line break.
pub(crate) fn line(name: &str, message: &impl Message) -> String {
    let dynamic = DynamicMessage::decode(descriptor(name), message.encode_to_vec().as_slice())
        .expect("a message decodes by its own descriptor");
    let mut json = serde_json::Serializer::new(Vec::new());
    dynamic
        .serialize_with_options(&mut json, &SerializeOptions::new().skip_default_fields(false))
        .expect("a decoded message has a JSON form");
    escaped(&String::from_utf8(json.into_inner()).expect("JSON is UTF-8"))
}

/// Escapes the characters that JSON allows but terminals interpret.
pub(crate) fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        // `printable` replaces exactly these characters; outside of strings JSON has none of them.
        if board::printable(c.encode_utf8(&mut [0; 4])).starts_with(c) {
            escaped.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

/// Returns the descriptor of a message of `matchbook.v1` by its short name.
pub(crate) fn descriptor(name: &str) -> MessageDescriptor {
    wire::DESCRIPTORS
        .get_message_by_name(&format!("matchbook.v1.{name}"))
        .expect("the message is in the protos")
}

#[cfg(test)]
mod tests {
    use wire::v1::{GetViewResponse, Player, SeatStatus, View};

    use super::*;

    #[test]
    fn default_values_are_printed_and_absent_fields_are_not() {
        let view = View { seq: 7, ..View::default() };
        let line = line("GetViewResponse", &GetViewResponse { view: Some(view), ..Default::default() });
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(json["headSeq"], 0);
        assert_eq!(json["view"]["status"], "MATCH_STATUS_UNSPECIFIED");
        assert_eq!(json["view"]["toAct"], serde_json::json!([]));
        assert!(json["view"].get("result").is_none());
        assert!(!line.contains('\n'));
    }

    #[test]
    fn control_characters_are_escaped_and_round_trip() {
        let name = "D\u{9b}31m\u{7f}\u{202e}\u{e0041}is";
        let status = SeatStatus { player: Some(Player::named(name)), ..SeatStatus::default() };
        let line = line("SeatStatus", &status);
        assert!(!line.chars().any(char::is_control));
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(json["player"]["displayName"], name);
    }
}
